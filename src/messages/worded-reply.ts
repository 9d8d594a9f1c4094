import type { Reply } from "../engine/reply.ts";
import { defined } from "../kit/defined.ts";
import type { Submission } from "../workflow/events.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { BlockedAnswer, Run, StepState } from "../workflow/stream-snapshot.ts";
import { rejectionText } from "./approval-texts.ts";
import { answerText, blockedLead } from "./blocked-texts.ts";
import { warningTexts } from "./notices.ts";
import { type ReplyCheck, replyChecks } from "./reply-checks.ts";

/** The parts of a submission that an open attempt keeps: outputs by name, files by path. */
export type KeptSubmission = {
  readonly outputs: readonly string[];
  readonly content: readonly { readonly path: string; readonly bytes: number }[];
  /** Counts what the reply has no room to list. */
  readonly more?: { readonly outputs: number; readonly content: number };
};

/** A reply with the texts that are the same on every transport. */
export type WordedReply<R extends Reply = Reply> = R & {
  readonly kept?: KeptSubmission;
  readonly warningTexts: readonly string[];
  /** The attempt at the step that this reply opens, or that a conflict names. */
  readonly attempt?: string;
  /** The text that is read first: a person's rejection, answer or waiver. */
  readonly lead?: string;
  /** The results of the step's checks. */
  readonly checks?: readonly ReplyCheck[];
  /** Set if the checks wait for a runner, with the command that starts one if none was seen. */
  readonly runner?: { readonly start?: string };
};

/** Adds the texts that are the same on every transport. */
export function wordReply<R extends Reply>(given: R): WordedReply<R> {
  const reply = repeatRejection(given);
  const submitted = keptSubmission(reply);
  const lead = leadOfReply(reply);
  const said = warningTexts(reply.warnings, reply.id);
  return {
    ...reply,
    warningTexts: said,
    ...defined({ lead, attempt: attemptOf(reply) }),
    ...(submitted === undefined ? {} : { kept: listKept(submitted) }),
    ...checksOf(reply),
  };
}

/** The short id of the attempt that a reply opens or, in a conflict, of the open one. */
function attemptOf({ outcome, stream, shown }: Reply): string | undefined {
  const idAt = (workflow: string, step: string): string | undefined => {
    const state = stream.runs.get(workflow)?.steps.get(step);
    return state?.status === "started" ? state.id : undefined;
  };
  switch (outcome.kind) {
    case "opened":
    case "interrupted":
      return idAt(outcome.ref.workflow, outcome.ref.step);
    case "aside_opened":
      return stream.independentSteps.get(outcome.step)?.id;
    case "refused": {
      const { refusal } = outcome;
      const isAboutAttempts = refusal.kind !== "ambiguous" && "open" in refusal;
      return isAboutAttempts ? refusal.open?.attempt : undefined;
    }
    case "completed":
      // completing a phase opens the next one
      return shown === null ? undefined : idAt(shown.workflow, shown.step);
    default:
      return undefined;
  }
}

function checksOf({ outcome }: Reply): Pick<WordedReply, "checks" | "runner"> {
  const about = outcome.kind === "refused" ? outcome.refusal : outcome;
  const { checks = [] } = "checks" in about ? about : {};
  if (checks.length === 0) return {};
  const waiting = checks.filter((check) => "wanted" in check && check.wanted !== undefined);
  const start = waiting.flatMap((check) => ("start" in check && check.start !== undefined ? [check.start] : []))[0];
  return { checks: replyChecks(checks), ...(waiting.length === 0 ? {} : { runner: defined({ start }) }) };
}

/** Lists a submission by name and path. */
export function listKept({ outputs = {}, content = [] }: Submission): KeptSubmission {
  return { outputs: Object.keys(outputs), content: content.map(({ path, bytes }) => ({ path, bytes })) };
}

/** Repeats the rejection of a submission that a person has already rejected. */
function repeatRejection<R extends Reply>(reply: R): R {
  const { outcome } = reply;
  if (outcome.kind !== "awaiting" || !outcome.declined) return reply;
  const { ref, submitted, reason } = outcome;
  const refusal = { kind: "declined", step: ref.step, ...defined({ reason }) } as const;
  return { ...reply, outcome: { kind: "refused", workflow: ref.workflow, current: ref, refusal, kept: submitted } };
}

/** The submission that the reply keeps; undefined if the outcome keeps none. */
function keptSubmission({ outcome, stream }: Reply): Submission | undefined {
  if (outcome.kind === "awaiting" || outcome.kind === "checking" || outcome.kind === "blocked")
    return outcome.submitted;
  if (outcome.kind !== "refused") return undefined;
  const { current } = outcome;
  const state = current === null ? undefined : stream.runs.get(current.workflow)?.steps.get(current.step);
  return outcome.kept ?? (state?.status === "started" ? state.submitted : {});
}

/** The text that a reply begins with: a person's rejection, answer or waiver, or an unanswered report; undefined if nothing. */
export function leadOfReply({ id, outcome, stream }: Pick<Reply, "id" | "outcome" | "stream">): string | undefined {
  const ref = "ref" in outcome ? outcome.ref : outcome.kind === "refused" ? outcome.current : null;
  const run = ref === null ? undefined : stream.runs.get(ref.workflow);
  const state = ref !== null && run?.pass === ref.pass ? run.steps.get(ref.step) : undefined;
  if (ref === null || run === undefined || state === undefined) return undefined;
  const passed = answerAtBound(run, state);
  if (passed !== undefined) return answerText(passed.answer, stepTitle(id, passed.step));
  if ((state.rejection ?? state.answer ?? state.waivers ?? state.blocked) === undefined) return undefined;
  return leadOfStep(stepTitle(id, ref.step), partsSaid(outcome, state));
}

function stepTitle({ kind }: Reply["id"], step: string): string {
  return kind === "session" ? `Phase ${step}` : step;
}

/** A person's answer at a bound, for the step that is open because of it. */
function answerAtBound(
  { steps }: Run,
  { status, answer: own, startedAt }: StepState,
): { readonly step: string; readonly answer: BlockedAnswer } | undefined {
  if (status !== "started" || own !== undefined) return undefined;
  const answered = [...steps].flatMap(([step, { answer }]) =>
    answer?.follows === undefined || answer.at > startedAt ? [] : [{ step, answer }],
  );
  const last = answered.sort((a, b) => (a.answer.at < b.answer.at ? -1 : 1)).at(-1);
  const isOver = [...steps.values()].some(
    ({ completion }) => last !== undefined && (completion?.at ?? "") > last.answer.at,
  );
  return isOver ? undefined : last;
}

/** The same for a step, by its title. */
export function leadOfStep(step: string, { rejection, ...state }: LeadParts): string | undefined {
  const no = rejection === undefined ? [] : [rejectionText(rejection, step)];
  const isPlain = (state.answer ?? state.waivers ?? state.blocked) === undefined;
  const said = isPlain ? no : [...blockedLead(step, state), ...no];
  return said.length === 0 ? undefined : said.join(" ");
}

type LeadParts = Partial<Pick<StepState, "rejection" | "blocked" | "answer" | "waivers">>;

/** The parts that a reply repeats: an open step's are shown until it is completed. */
function partsSaid(outcome: Outcome, { rejection, answer, waivers, blocked, status }: StepState): LeadParts {
  const isOpen = status === "started";
  switch (outcome.kind) {
    case "opened":
    case "interrupted":
      return isOpen ? defined({ rejection, answer, waivers, blocked }) : {};
    case "refused": {
      const isDeclined = outcome.refusal.kind === "declined";
      return isOpen ? defined({ rejection: isDeclined ? undefined : rejection, answer, waivers, blocked }) : {};
    }
    case "awaiting":
    case "checking":
    case "completed":
    case "finished":
      return defined({ answer });
    default:
      return {};
  }
}
