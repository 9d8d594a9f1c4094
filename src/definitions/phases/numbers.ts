const words = [
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen".split(" "),
  ..."fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(" "),
];

/** A pattern for a number in digits or words; `readNumber` reads what it finds. */
export const numberPattern = `(?:-?\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|-?\\d+(?:\\.\\d+)?|a single|(?:${words.join("|")})\\b)`;

/** Reads a number written in digits or in words up to twenty. */
export function readNumber(written: string): number | undefined {
  const word = written.trim().toLowerCase();
  if (word === "a single") return 1;
  const index = words.indexOf(word);
  if (index !== -1) return index;
  const number = Number(word.replaceAll(",", ""));
  return word !== "" && Number.isFinite(number) ? number : undefined;
}
