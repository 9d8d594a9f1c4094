/** Reads a number as it stands in a name, where _ is the decimal point: 80, 2_0, 0.5, five, 80_percent. */
export function numberIn(text: string): number | undefined {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[_ ]?(?:percent|pct|%)$/, "");
  const word = words.indexOf(plain);
  if (word >= 0) return word;
  if (/^-?\d+(?:\.\d+)?$/.test(plain)) return Number(plain);
  const [, sign = "", whole, part] = /^(-?|minus_)(\d+)_(\d+)$/.exec(plain) ?? [];
  // 1_000 is a thousand to some: what may be a thousand times less is no number.
  if (whole === undefined || part === undefined || (part.length === 3 && whole !== "0")) return undefined;
  return Number(`${sign === "" ? "" : "-"}${whole}.${part}`);
}

/** Reads two or more numbers from a name: 1_and_5, 1_to_5, 1_5. */
export function numbersIn(text: string): readonly number[] | undefined {
  const joined = /_(?:and|to)_/.test(text) ? text.split(/_(?:and|to)_/) : text.split("_");
  const numbers = joined.map(numberIn);
  return numbers.every((number) => number !== undefined) ? numbers : undefined;
}

const words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
