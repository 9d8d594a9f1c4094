import type { DeskId } from "../../engine/ports.ts";
import type { WalkedAttempt } from "../../overview/walk.ts";
import type { WalkedHandIn } from "../../overview/walked-hand-ins.ts";
import type { Plan } from "../../workflow/workflow.ts";
import { evidenceOf } from "../pages/judging-data.ts";
import type { Attempt, ShownHandIn } from "./board-data.ts";
import { cutValue, cutValues, line } from "./cut.ts";
import { labelOf } from "./rows.ts";

/** So many attempts of a run are told, the newest; and so many characters of what was handed in, the newest first. */
const mostAttempts = 2000;
const roomForValues = 400_000;

/** The attempts of a run as its page shows them, oldest first: of the older ones of a long history without what was handed in. */
export function shownAttempts(
  { kind }: DeskId,
  plan: Plan | undefined,
  walked: readonly WalkedAttempt[],
): { readonly attempts: readonly Attempt[]; readonly leftOut: number } {
  const titles = new Map(
    (plan?.workflows ?? []).flatMap(({ name, steps }) =>
      steps.map((step) => [JSON.stringify([name, step.name]), step.title] as const),
    ),
  );
  const newest = walked.slice(-mostAttempts).toReversed();
  let left = roomForValues;
  const shown = newest.map((one) => {
    const title = titles.get(JSON.stringify([one.workflow, one.step]));
    const whole = left > 0 ? shownAttempt(kind, one, title) : undefined;
    left -= whole === undefined ? 0 : JSON.stringify(whole.handIns).length;
    return whole !== undefined && left > 0 ? whole : leanAttempt(kind, one, title);
  });
  return { attempts: shown.reverse(), leftOut: Math.max(0, walked.length - mostAttempts) };
}

/** An attempt with everything that was handed in, each value cut. */
export function shownAttempt(kind: DeskId["kind"], attempt: WalkedAttempt, title: string | undefined): Attempt {
  return { ...bare(kind, attempt, title), handIns: attempt.handIns.slice(-mostHandIns).map(shownHandIn) };
}

/** An attempt that is handed in again and again says the newest. */
const mostHandIns = 40;

function leanAttempt(kind: DeskId["kind"], attempt: WalkedAttempt, title: string | undefined): Attempt {
  const handIns = attempt.handIns.slice(-mostHandIns).map((one) => ({ ...bareHandIn(one), ...nothing }));
  return { ...bare(kind, attempt, title), handIns, ...(handIns.length === 0 ? {} : { isLean: true as const }) };
}

const nothing = { evidence: [], outputs: {}, content: [], checks: [], violations: [] };

function bare(kind: DeskId["kind"], attempt: WalkedAttempt, title: string | undefined): Omit<Attempt, "handIns"> {
  const { workflow, pass, step, startedAt, endedAt, state, client, waits, word } = attempt;
  return {
    ...{ workflow, pass, step, attempt: attempt.attempt, startedAt, state, waits: waits.slice(-mostHandIns) },
    label: labelOf(kind, { workflow, step, title }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(client === undefined ? {} : { client: line(client, 60) }),
    ...(word === undefined ? {} : { word: shownWord(word) }),
  };
}

function shownWord({ level, text, by }: NonNullable<WalkedAttempt["word"]>): NonNullable<Attempt["word"]> {
  return {
    level,
    ...(text === undefined ? {} : { text: line(text, 400) }),
    ...(by === undefined ? {} : { by: by.map(({ name }) => line(name, 80)) }),
  };
}

function bareHandIn(
  one: WalkedHandIn,
): Omit<ShownHandIn, "evidence" | "outputs" | "content" | "checks" | "violations"> {
  const { number, at, endedAt, client, outcome, code, missing, lacked, sameGaps, reason } = one;
  const wanting = missing?.map(({ text }) => text) ?? lacked;
  return {
    ...{ number, at, outcome },
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(client === undefined ? {} : { client: line(client, 60) }),
    ...(code === undefined ? {} : { code }),
    ...(wanting === undefined ? {} : { missing: wanting.slice(0, 30).map((text) => line(text, 200)) }),
    ...(sameGaps === undefined ? {} : { sameGaps }),
    ...(reason === undefined ? {} : { reason: line(reason, 1500) }),
  };
}

function shownHandIn(one: WalkedHandIn): ShownHandIn {
  const { outputs, evidence, content = [], checks = [], violations = [] } = one;
  return {
    ...bareHandIn(one),
    evidence: evidenceOf({ handed: evidence === undefined ? {} : { evidence }, checks })
      .slice(0, 60)
      .map(({ field, value, standing, check, found }) => ({
        field: line(field, 80),
        value: cutValue(value),
        standing,
        ...(check === undefined ? {} : { check: line(check, 80) }),
        ...(found === undefined ? {} : { found: cutValue(found) }),
      })),
    outputs: cutValues(outputs),
    content: content.slice(0, 60).map(({ path, bytes, sha256 }) => ({ path: line(path, 240), bytes, sha256 })),
    checks: checks.slice(0, 30).map(({ name, status, summary, seconds }) => ({
      ...{ name: line(name, 80), status, summary: line(summary, 300) },
      ...(seconds === undefined ? {} : { seconds }),
    })),
    violations: violations.slice(0, 40).map(({ rule, file, line: at, message }) => ({
      ...{ rule: line(rule, 80), file: line(file, 240), message: line(message, 300) },
      ...(at === undefined ? {} : { line: at }),
    })),
  };
}
