import { isPersonsClient } from "../../engine/run-status.ts";
import { defined } from "../../kit/defined.ts";
import { stepLabel } from "../../messages/stream-words.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import type { Plan } from "../../workflow/workflow.ts";
import { cutLine, cutValue, cutValues } from "../overview/cut-values.ts";
import { compareEvidence } from "../overview/evidence.ts";
import type { WalkedAttempt } from "../overview/walk.ts";
import type { WalkedSubmission } from "../overview/walked-submissions.ts";
import type { Attempt, ShownSubmission } from "./board-data.ts";

/** The most attempts of a run shown, newest first, and the most characters of their submissions. */
const maxAttempts = 2000;
const roomForValues = 400_000;

/** Prepares the attempts of a run for its page, oldest first; older ones of a long history come without content. */
export function shownAttempts(
  { kind }: StreamId,
  plan: Plan | undefined,
  walked: readonly WalkedAttempt[],
): { readonly attempts: readonly Attempt[]; readonly leftOut: number } {
  const titles = new Map(
    (plan?.workflows ?? []).flatMap(({ name, steps }) =>
      steps.map((step) => [JSON.stringify([name, step.name]), step.title] as const),
    ),
  );
  const newest = walked.slice(-maxAttempts).toReversed();
  let left = roomForValues;
  const shown = newest.map((one) => {
    const title = titles.get(JSON.stringify([one.workflow, one.step]));
    const whole = left > 0 ? shownAttempt(kind, one, title) : undefined;
    left -= whole === undefined ? 0 : JSON.stringify(whole.handIns).length;
    return whole !== undefined && left > 0 ? whole : leanAttempt(kind, one, title);
  });
  return { attempts: shown.reverse(), leftOut: Math.max(0, walked.length - maxAttempts) };
}

/** Prepares an attempt with everything submitted, each value cut. */
export function shownAttempt(kind: StreamId["kind"], attempt: WalkedAttempt, title: string | undefined): Attempt {
  return {
    ...attemptWithoutSubmissions(kind, attempt, title),
    handIns: attempt.handIns.slice(-maxSubmissions).map(fullSubmission),
  };
}

/** The number of latest submissions shown per attempt. */
const maxSubmissions = 40;

function leanAttempt(kind: StreamId["kind"], attempt: WalkedAttempt, title: string | undefined): Attempt {
  const submissions = attempt.handIns
    .slice(-maxSubmissions)
    .map((one) => ({ ...submissionWithoutValues(one), ...emptyValues }));
  return {
    ...attemptWithoutSubmissions(kind, attempt, title),
    handIns: submissions,
    ...(submissions.length === 0 ? {} : { isLean: true as const }),
  };
}

/** The number of characters of a failed check's output that are shown. */
const maxOutput = 1500;

const emptyValues = { evidence: [], outputs: {}, content: [], checks: [], violations: [] };

function attemptWithoutSubmissions(
  kind: StreamId["kind"],
  attempt: WalkedAttempt,
  title: string | undefined,
): Omit<Attempt, "handIns"> {
  const { workflow, pass, step, startedAt, endedAt, state, client, waits, itemsMoved, word } = attempt;
  return {
    ...{ workflow, pass, step, attempt: attempt.attempt, startedAt, state, waits: waits.slice(-maxSubmissions) },
    label: cutLine(stepLabel({ kind }, { workflow, step, title })),
    // What a person's answer opened, no assistant has yet.
    ...defined({
      endedAt,
      itemsMoved,
      client: client && !isPersonsClient(client) ? cutLine(client, 60) : undefined,
      word: word && shownApproval(word),
    }),
  };
}

function shownApproval({ level, text, by }: NonNullable<WalkedAttempt["word"]>): NonNullable<Attempt["word"]> {
  return { level, ...defined({ text: text && cutLine(text, 400), by: by?.map(({ name }) => cutLine(name, 80)) }) };
}

function submissionWithoutValues(
  one: WalkedSubmission,
): Omit<ShownSubmission, "evidence" | "outputs" | "content" | "checks" | "violations"> {
  const { number, at, endedAt, client, outcome, code, missing, lacked, sameGaps, reason } = one;
  const wanting = missing?.map(({ text }) => text) ?? lacked;
  return {
    ...{ number, at, outcome },
    ...defined({
      ...{ endedAt, code, sameGaps },
      client: client && cutLine(client, 60),
      missing: wanting?.slice(0, 30).map((text) => cutLine(text, 200)),
      reason: reason && cutLine(reason, 1500),
    }),
  };
}

function fullSubmission(one: WalkedSubmission): ShownSubmission {
  const { outputs, evidence, content = [], checks = [], violations = [] } = one;
  return {
    ...submissionWithoutValues(one),
    evidence: compareEvidence({ submitted: evidence === undefined ? {} : { evidence }, checks })
      .slice(0, 60)
      .map(({ field, value, standing: status, check, found }) => ({
        field: cutLine(field, 80),
        value: cutValue(value),
        standing: status,
        ...defined({ check: check && cutLine(check, 80), found: found === undefined ? undefined : cutValue(found) }),
      })),
    outputs: cutValues(outputs),
    content: content.slice(0, 60).map(({ path, bytes, sha256 }) => ({ path: cutLine(path, 240), bytes, sha256 })),
    checks: checks.slice(0, 30).map(({ name, status, summary, seconds, output }) => ({
      ...{ name: cutLine(name, 80), status, summary: cutLine(summary, 300) },
      // What failed says why; of a long history it is sent on demand.
      ...defined({ seconds, output: status === "failed" ? output?.slice(-maxOutput) : undefined }),
    })),
    violations: violations.slice(0, 40).map(({ rule, file, line: at, message }) => ({
      ...{ rule: cutLine(rule, 80), file: cutLine(file, 240), message: cutLine(message, 300) },
      ...defined({ line: at }),
    })),
  };
}
