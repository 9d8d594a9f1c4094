/** What digits are worth: 80, 0.5, 1,000. What is one here and a thousand there, 1.000, is no number, and neither is 0x10. */
export function numberOf(written: string): number | undefined {
  const text = written.trim();
  const isPlain = /^-?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?$/.test(text);
  const isEither = /^-?[1-9]\d{0,2}\.\d{3}$/.test(text);
  return isPlain && !isEither ? Number(text.replaceAll(",", "")) : undefined;
}
