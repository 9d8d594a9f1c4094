/** Parses digits such as 80, 0.5 or 1,000; 1.000 is ambiguous and 0x10 is not a number. */
export function parseNumber(written: string): number | undefined {
  const text = written.trim();
  const isPlain = /^-?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?$/.test(text);
  const isEither = /^-?[1-9]\d{0,2}\.\d{3}$/.test(text);
  return isPlain && !isEither ? Number(text.replaceAll(",", "")) : undefined;
}
