import type { BlockContext } from "./block-context.ts";
import { phaseTitle, taskTitle } from "./phase-headings.ts";

/** The kind of a text by the words above it: evidence, a gate, a weak gate, an example, or nothing. */
export type ContextKind = "evidence" | "gate" | "weak" | "example" | "nothing";

/** The kind of the text in a context; the nearest words that say something count. */
export function kindOfContext({ headings, label, intro }: BlockContext): ContextKind {
  const own = headings.filter(isOwn);
  const near = [intro, label, own.at(-1) ?? ""].map(kindOfWords);
  if (near.includes("example")) return "example";
  const kinds = [...near, ...own.map(kindOfWords)];
  return (["evidence", "gate", "weak"] as const).find((kind) => kinds.includes(kind)) ?? "nothing";
}

/** The kind that a heading, a bold label or a lead-in gives to what follows. */
export function kindOfWords(text: string): ContextKind {
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

/** True if the context makes its text optional; the nearest word about that counts. */
export function isOptionalContext({ headings, label, intro }: BlockContext): boolean {
  for (const text of [intro, label, ...headings.filter(isOwn).toReversed()]) {
    if (says(text, ["not optional"])) return false;
    if (says(text, ["optional", "optionally", "nice to have", "recommended", "if applicable"])) return true;
    if (says(text, ["required", "mandatory", "must"])) return false;
  }
  return false;
}

/** True for headings that name phases and tasks, which say nothing about the text below. */
function isOwn(heading: string): boolean {
  return phaseTitle(heading) === undefined && taskTitle(heading) === undefined;
}

function says(text: string, phrases: readonly string[]): boolean {
  const said = ` ${wordsOf(text).join(" ")} `;
  return phrases.some((phrase) => said.includes(` ${phrase} `));
}

/** True if the words above a text are about something other than the work: notes, risks, prerequisites. */
export function isOffTopic({ headings, label }: BlockContext): boolean {
  return [headings.at(-1) ?? "", label].some((text) => independentSteps.has(wordsOf(text)[0] ?? ""));
}

/** The words of a heading or label in lower case, without signs, images and a leading number. */
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
const independentSteps = set(
  "note notes risk risks prerequisite prerequisites entry dependency dependencies assumption assumptions open idea ideas future out reference references background legend format tip tips estimate estimated",
);
