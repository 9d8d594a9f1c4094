/** The price of an order in cents: from 10 pieces on, 5 percent less. */
export function total(cents, pieces) {
  if (!Number.isInteger(pieces) || pieces < 1) throw new RangeError("pieces must be a whole number from 1 on");
  const full = cents * pieces;
  return pieces > 10 ? Math.round(full * 0.95) : full;
}
