import type { EvidenceRule } from "../../../workflow/gate.ts";

/** The shapes of a text that words name: "40 hex characters", "YYYY-MM-DD", "must be a valid URL". */
export function formatIn(words: string): EvidenceRule[] {
  return shapes.flatMap(({ said, pattern }) => {
    const found = said.exec(words);
    return found === null ? [] : [{ kind: "matches", pattern: pattern(found[1] ?? ""), flags: "" } as const];
  });
}

const asked =
  "(?:\\bvalid|\\bwell-?formed|\\b(?:must|has to|should|shall) be(?: an?)?(?: valid)?|\\bformat:?)\\s+(?:an? )?";
const shapes: readonly { readonly said: RegExp; pattern(count: string): string }[] = [
  {
    said: /\b(\d{1,3})[- ](?:lower-?case |upper-?case )?hex(?:adecimal)?[- ](?:characters?|chars?|digits?|letters?)\b|\b(\d{1,3})[- ]hex\b/i,
    pattern: (count) => `^[0-9a-fA-F]{${count}}$`,
  },
  {
    said: /\b(\d{1,3})[- ](?:characters?|chars?|digits?)[- ](?:long )?hex(?:adecimal)?\b/i,
    pattern: (count) => `^[0-9a-fA-F]{${count}}$`,
  },
  { said: /(?<!\bor )\b(\d{1,3})[- ](?:decimal )?digits?\b(?! or\b)/i, pattern: (count) => `^[0-9]{${count}}$` },
  { said: /\bYYYY-MM-DD\b(?!T|[ _]hh)/i, pattern: () => "^\\d{4}-\\d{2}-\\d{2}$" },
  {
    said: new RegExp(`${asked}(?:in )?ISO(?:[- ]?8601)?(?:[- ](?:date|time|timestamp|datetime|format))*\\b`, "i"),
    pattern: () => "^\\d{4}-\\d{2}-\\d{2}",
  },
  { said: new RegExp(`${asked}(?:https? )?(?:URL|link)\\b`, "i"), pattern: () => "^https?://\\S+$" },
  { said: new RegExp(`${asked}e-?mail(?: address)?\\b`, "i"), pattern: () => "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$" },
  { said: new RegExp(`${asked}(?:semver|semantic version)\\b`, "i"), pattern: () => "^v?\\d+\\.\\d+\\.\\d+" },
  { said: new RegExp(`${asked}UUID\\b`, "i"), pattern: () => "^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$" },
];
