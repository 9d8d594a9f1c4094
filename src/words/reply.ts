import type { Reply } from "../engine/reply.ts";
import type { HandedIn } from "../workflow/events.ts";
import { rejectionIn } from "./approval.ts";
import { type SaidCheck, sayChecks } from "./checks.ts";
import { saidInWords } from "./notices.ts";

/** What stays handed in of an attempt that is not completed: outputs by name, files by path. */
export type Kept = {
  readonly outputs: readonly string[];
  readonly content: readonly { readonly path: string; readonly bytes: number }[];
  /** How many there are besides, where an answer has no room for all. */
  readonly more?: { readonly outputs: number; readonly content: number };
};

/** A reply with what every door says of it alike: what an answer that does not complete keeps, and what is said beside it. */
export type InWords<R extends Reply = Reply> = R & {
  readonly kept?: Kept;
  readonly said: readonly string[];
  /** What a person said no to at the step that is shown: it is read before anything else. */
  readonly rejection?: string;
  /** What Waymark found out by itself, where the step wants that. */
  readonly checks?: readonly SaidCheck[];
};

/** Puts into words what every door says alike. */
export function inWords<R extends Reply>(given: R): InWords<R> {
  const reply = declinedAgain(given);
  const handed = handedIn(reply);
  const rejection = rejectionIn(reply);
  const said = saidInWords(reply.warnings, reply.id);
  const rejected = rejection === undefined ? {} : { rejection };
  return { ...reply, said, ...rejected, ...(handed === undefined ? {} : { kept: kept(handed) }), ...checksOf(reply) };
}

function checksOf({ outcome }: Reply): Pick<InWords, "checks"> {
  const about = outcome.kind === "refused" ? outcome.refusal : outcome;
  const { checks = [] } = "checks" in about ? about : {};
  return checks.length === 0 ? {} : { checks: sayChecks(checks) };
}

/** What was handed in, by name and path. */
export function kept({ outputs = {}, content = [] }: HandedIn): Kept {
  return { outputs: Object.keys(outputs), content: content.map(({ path, bytes }) => ({ path, bytes })) };
}

/** A hand-in that a person has said no to does not wait for a word: it is answered with that no again. */
function declinedAgain<R extends Reply>(reply: R): R {
  const { outcome } = reply;
  if (outcome.kind !== "awaiting" || !outcome.declined) return reply;
  const { ref, handed, reason } = outcome;
  const refusal = { kind: "declined", step: ref.step, ...(reason === undefined ? {} : { reason }) } as const;
  return { ...reply, outcome: { kind: "refused", workflow: ref.workflow, current: ref, refusal, kept: handed } };
}

/** What stays handed in; nothing where the outcome is no answer that keeps something. */
function handedIn({ outcome, desk }: Reply): HandedIn | undefined {
  if (outcome.kind === "awaiting" || outcome.kind === "checking") return outcome.handed;
  if (outcome.kind !== "refused") return undefined;
  const { current } = outcome;
  const state = current === null ? undefined : desk.runs.get(current.workflow)?.steps.get(current.step);
  return outcome.kept ?? (state?.status === "started" ? state.handed : {});
}
