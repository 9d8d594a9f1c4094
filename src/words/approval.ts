import type { Approval, Level } from "../evidence/approval.ts";

/** What is needed of people, in words: whose word, how many, and how it must come. */
export function approvalInWords({ level, by, count }: Approval): string {
  const who = by === undefined ? "a person" : listOf(by);
  if (count > 1) return `${levelInWords(level)} of ${count} people${by === undefined ? "" : ` (of ${who})`}`;
  return `${levelInWords(level)} of ${who}`;
}

function levelInWords(level: Level): string {
  switch (level) {
    case "relayed":
      return "the word";
    case "elicited":
      return "an answer given by the person";
    case "proven":
      return "an approval, proved by their own key,";
  }
}

function listOf(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
