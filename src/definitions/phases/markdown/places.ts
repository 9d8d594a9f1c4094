import type { Place } from "./blocks.ts";
import { phaseTitle, taskTitle } from "./headings.ts";

/** What the words over a text make of it: a list of evidence, a gate's, one for want of a better, an example's, or nothing. */
export type Kind = "evidence" | "gate" | "weak" | "example" | "nothing";

/** What a place makes of the text in it: the nearest words that say something count. */
export function kindOfPlace({ headings, label, intro }: Place): Kind {
  const own = headings.filter(isOwn);
  const near = [intro, label, own.at(-1) ?? ""].map(kindOfWords);
  if (near.includes("example")) return "example";
  const kinds = [...near, ...own.map(kindOfWords)];
  return (["evidence", "gate", "weak"] as const).find((kind) => kinds.includes(kind)) ?? "nothing";
}

/** What a heading, a bold label or a line before a list says of what follows. */
export function kindOfWords(text: string): Kind {
  const words = wordsOf(text);
  const has = (phrases: readonly string[]): boolean => says(text, phrases);
  if (has(["example", "examples", "sample", "samples", "for instance"])) return "example";
  if (words.length === 0 || has(elsewhere)) return "nothing";
  const plain = words.filter((word) => !wishes.has(word));
  if (
    plain.some((word) => asking.has(word)) &&
    plain.every((word) => asking.has(word) || beside.has(word) || isNumber(word))
  )
    return "evidence";
  if (has(gates) || (words.length <= 6 && has(shortGates))) return "gate";
  return words.length <= 5 && has(weak) ? "weak" : "nothing";
}

/** Tells whether what stands here is left to the reader's choice: the nearest word on that counts. */
export function isOptionalPlace({ headings, label, intro }: Place): boolean {
  for (const text of [intro, label, ...headings.filter(isOwn).toReversed()]) {
    if (says(text, ["not optional"])) return false;
    if (says(text, ["optional", "optionally", "nice to have", "recommended", "if applicable"])) return true;
    if (says(text, ["required", "mandatory", "must"])) return false;
  }
  return false;
}

/** The headings of phases and tasks name them, and say nothing of what stands below. */
function isOwn(heading: string): boolean {
  return phaseTitle(heading) === undefined && taskTitle(heading) === undefined;
}

function says(text: string, phrases: readonly string[]): boolean {
  const said = ` ${wordsOf(text).join(" ")} `;
  return phrases.some((phrase) => said.includes(` ${phrase} `));
}

/** Tells whether a place, by the words over it, is about something else than the work: notes, risks, what has to be there before. */
export function isAside({ headings, label }: Place): boolean {
  return [headings.at(-1) ?? "", label].some((text) => asides.has(wordsOf(text)[0] ?? ""));
}

/** The words of a heading or label in small letters, without signs, pictures and a number before them. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll("/", " ")
      .match(/[\p{L}\p{N}'’_.-]+/gu) ?? [];
  const bare = words
    .map((word) => (word.endsWith(".") ? word.slice(0, -1) : word))
    .filter((word) => word !== "-" && word !== "");
  return bare.slice(
    bare[0] === "step" && isNumber(bare[1] ?? "") ? 2 : isNumber(bare[0] ?? "") && bare.length > 1 ? 1 : 0,
  );
}

function isNumber(word: string): boolean {
  return word !== "" && Number.isFinite(Number(word));
}

const all = (phrases: string): readonly string[] => phrases.split(", ");
const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const asking = set("evidence required mandatory provide provided submit proof proofs checkpoint");
const beside = set(
  "must be to you the of for in what hand needed requirements fields field list outputs output artifacts deliverables documents data completion phase this gate following collected expected items table your all each and also please work it",
);
const wishes = set("optional nice have recommended additional bonus if applicable");
const gates = all(
  "gate, gates, checkpoint, checkpoints, dod, acceptance, no-go, completion, definition of done, go no go, sign off, sign-off, what done looks like, done when, done if, done once",
);
const shortGates = all(
  "criteria, criterion, conditions, exit checks, ready to, ready for, before you, before moving, before advancing, before proceeding, before continuing, requirements to, to complete, to finish, to pass, closing checklist, phase checklist, what must be true, must hold, hand in",
);
const weak = all(
  "validation, verification, verify, checklist, check, checks, self-check, deliverables, exit, success, wrap-up",
);
const elsewhere = all(
  "entry, prerequisite, prerequisites, previous, troubleshooting, fails, failure, failed, after, why, rationale, about, passed, summary, definition of ready, if the, if a, if any gate",
);
const asides = set(
  "note notes risk risks prerequisite prerequisites entry dependency dependencies assumption assumptions open idea ideas future out reference references background legend format tip tips estimate estimated",
);
