import { independentActions } from "../../definitions/bots/compile.ts";
import type { LiveBot } from "../../definitions/bots/live-bot.ts";
import { readSettings } from "../../definitions/settings/team-settings.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { problemText } from "../../gates/problem.ts";
import { defined } from "../../kit/defined.ts";
import { approvalNeed } from "../../workflow/judged-by-hash.ts";
import { loadForCheck } from "../load-for-check.ts";
import { type ExplainedApproval, explainApproval } from "./explain-workflow.ts";

/** One action of a drawn sequence. */
export type DrawnStep = {
  readonly action: string;
  readonly auto: boolean | "if_proved";
  readonly gate: boolean;
  /** The approval it needs, always or under a condition. */
  readonly approval: false | ExplainedApproval;
  /** The author's reason for skipping it. */
  readonly skip?: string;
  /** The reason it is closed until a file is fixed. */
  readonly closed?: string;
};

/** The sequence of one behavior; `closed` if what follows its last step is unknown. */
export type DrawnBehavior = {
  readonly bot: string;
  readonly behavior: string;
  readonly steps: readonly DrawnStep[];
  readonly anyTime: readonly string[];
  readonly closed?: string;
};

/** Lists the sequence of every behavior as the engine runs it. */
export function drawnBehaviors(definitions: DefinitionSnapshot): readonly DrawnBehavior[] {
  const { approvalLevel } = readSettings(definitions).settings;
  return loadForCheck(definitions).bots.flatMap(({ tree, workflows }: LiveBot) =>
    workflows.map(({ name, steps, closed }) => ({
      bot: tree.name,
      behavior: name,
      steps: steps.map(({ name: action, auto, skip, gate, broken }) => {
        const why = broken?.message ?? (gate?.closed === undefined ? undefined : problemText(gate.closed));
        return {
          action,
          auto,
          gate: gate !== undefined,
          approval: approvalNeed({ name: action, auto, ...defined({ gate }) })
            ? { ...explainApproval(gate, approvalLevel), ...gate?.approvalSource }
            : false,
          ...defined({ skip, closed: why }),
        };
      }),
      anyTime: independentActions(tree),
      ...(closed === undefined ? {} : { closed: closed.message }),
    })),
  );
}

/** Draws each sequence in one line: `gather_context → build_knowledge (auto) → validate_rules [gate]`. */
export function drawText(behaviors: readonly DrawnBehavior[]): string[] {
  const bots = [...new Set(behaviors.map(({ bot }) => bot))];
  return bots.flatMap((bot) => {
    const own = behaviors.filter((behavior) => behavior.bot === bot);
    const [first] = own;
    return [
      plain(bot),
      ...own.map((behavior) => `  ${plain(behavior.behavior)}: ${sequenceText(behavior)}`),
      ...(first === undefined || first.anyTime.length === 0
        ? []
        : [`  any time: ${first.anyTime.map(plain).join(", ")}`]),
    ];
  });
}

function sequenceText({ steps, closed }: DrawnBehavior): string {
  return [...steps.map(stepText), ...(closed === undefined ? [] : [`✗ closed: ${plain(closed)}`])].join(" → ");
}

function stepText({ action, auto, gate, approval, skip, closed }: DrawnStep): string {
  return [
    plain(action),
    ...(auto === false ? [] : [auto === true ? "(auto)" : "(if proved)"]),
    ...(skip === undefined ? [] : [`(skip: ${plain(skip)})`]),
    ...(gate ? ["[gate]"] : []),
    ...(approval === false || (approval.level === "relayed" && approval.by.length === 0)
      ? []
      : [approvalText(approval)]),
    ...(closed === undefined ? [] : [`✗ closed: ${plain(closed)}`]),
  ].join(" ");
}

function approvalText({ level, by, count = 1 }: ExplainedApproval): string {
  const who = by.length === 0 ? "" : ` by ${by.map(plain).join(", ")}`;
  return `(${level}${count > 1 ? ` × ${count}` : ""}${who})`;
}

/** A name in one line, without control characters that could move a terminal's cursor. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
}
