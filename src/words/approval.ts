import type { Reply } from "../engine/reply.ts";
import { type Approval, isBelow, type Level } from "../evidence/approval.ts";
import type { Rejected } from "../workflow/desk.ts";
import type { StepRef } from "../workflow/events.ts";
import type { Outcome } from "../workflow/outcome.ts";
import { oneLine } from "./one-line.ts";

/** What is needed of people, in words: how it must come, whose, and of how many. */
export function approvalInWords({ level, by, count }: Approval): string {
  if (count === 1) return `${levelInWords(level)} ${by === undefined ? "a person" : `${listOf(by)}`}`;
  return `${levelInWords(level)} ${count} people${by === undefined ? "" : ` out of ${by.join(", ")}`}`;
}

function levelInWords(level: Level): string {
  switch (level) {
    case "relayed":
      return "the word of";
    case "elicited":
      return "an answer that is given, and not passed on, by";
    case "proven":
      return "an approval with a key of their own by";
  }
}

function listOf(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** Whom a hand-in waits for, in a few words; who has agreed so far is left out. */
export function waitsForWhom({ level, by, count }: Approval, given: readonly string[] = []): string {
  const left = count - given.length;
  const open = by?.filter((name) => !given.includes(name));
  const who = open === undefined ? (left === 1 ? "a person" : `${left} people`) : listOf(open);
  const how = level === "relayed" ? "" : ` (${level})`;
  return `${who}${how}${given.length === 0 ? "" : `; ${given.join(", ")} approved`}`;
}

/** What an assistant is told where what it can bring of a person is not enough: what is needed, from whom, and where; undefined where passing it on will do. */
export function askElsewhere({ id, outcome }: Pick<Reply, "id" | "outcome">): string | undefined {
  if (outcome.kind !== "awaiting" || !isBelow("relayed", outcome.needs.level)) return undefined;
  const { needs, below, given } = outcome;
  const names = given.flatMap(({ person }) => person?.name ?? []);
  return [
    ...(below === undefined ? [] : ["The confirmation you sent does not count here."]),
    `It needs ${approvalInWords(needs)}${names.length === 0 ? "" : ` (${names.join(", ")} approved)`}.`,
    `Ask them to run waymark approve ${typedRun(id, outcome.ref)} in a terminal, then send the same call again: it goes on from there.`,
  ].join(" ");
}

/** A no of a person, for whoever comes back to what it was said to: it is read before anything else. */
export function rejectionInWords({ reason, by, at }: Rejected, step: string): string {
  const who = by === undefined ? "A person" : by;
  const why = reason === undefined ? "" : `: ${oneLine(reason, 2000)}`;
  return `${who} did not agree that ${step} is done (${at.slice(0, 16).replace("T", " ")})${why.replace(/[.\s]+$/, "")}. Mend that first; then hand it in again.`;
}

/** The no that stands at the step that a reply is about; undefined where none does. */
export function rejectionIn({ id, outcome, desk }: Pick<Reply, "id" | "outcome" | "desk">): string | undefined {
  const ref = refOf(outcome);
  const state = ref === null ? undefined : desk.runs.get(ref.workflow)?.steps.get(ref.step);
  if (ref === null || state?.status !== "started" || state.rejected === undefined) return undefined;
  return rejectionInWords(state.rejected, id.kind === "session" ? `Phase ${ref.step}` : ref.step);
}

/** The open step that an answer shows; an answer to a hand-in says what it has to say of it. */
function refOf(outcome: Outcome): StepRef | null {
  switch (outcome.kind) {
    case "opened":
    case "interrupted":
      return outcome.ref;
    case "refused":
      return outcome.refusal.kind === "declined" ? null : outcome.current;
    default:
      return null;
  }
}

/** What a person types after `waymark show` or `waymark approve` to name a run. */
export function typedRun(id: Reply["id"], { workflow }: StepRef): string {
  if (id.kind === "session") return id.name;
  return id.run === undefined ? `${id.name}.${workflow}` : `${id.name}.${workflow} --run ${id.run}`;
}
