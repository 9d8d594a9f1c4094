const small = [
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen".split(" "),
  ..."fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(" "),
];
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const named = new Map([
  ["a single", 1],
  ["a couple of", 2],
  ["a dozen", 12],
  ["one dozen", 12],
  ["a hundred", 100],
  ["one hundred", 100],
  ["a thousand", 1000],
  ["one thousand", 1000],
]);
const compound = `(?:${tens.join("|")})(?:[- ](?:${small.slice(1, 10).join("|")}))?`;

/** A pattern for a number in digits or words; `readNumber` reads what it finds. */
export const numberPattern = `(?:(?:minus )?(?:-?\\d{1,3}(?:[,_'\\u00a0\\u202f ]\\d{3})+(?!\\d)(?:\\.\\d+)?|-?\\d+(?:\\.\\d+)?(?: ?(?:k\\b|thousand\\b|million\\b))?)|(?:${[...named.keys()].join("|")}|${compound}|${small.join("|")})\\b)`;

/** Reads a number written in digits or in words. */
export function readNumber(written: string): number | undefined {
  const word = written
    .trim()
    .toLowerCase()
    .replace(/^minus\s+/, "-");
  const known = named.get(word);
  if (known !== undefined) return known;
  const index = small.indexOf(word);
  if (index !== -1) return index;
  const [ten = "", one = ""] = word.split(/[- ]/);
  if (tens.includes(ten)) return (tens.indexOf(ten) + 2) * 10 + (one === "" ? 0 : small.indexOf(one));
  const [, digits = "", times = ""] =
    /^(-?[\d.]+)\s?(k|thousand|million)?$/.exec(word.replaceAll(/[,_'\s](?=\d)/g, "")) ?? [];
  const number = Number(digits) * (times === "" ? 1 : times === "million" ? 1_000_000 : 1000);
  return digits !== "" && Number.isFinite(number) ? number : undefined;
}
