import { problemText } from "../../evidence/problem.ts";
import { personNeeded } from "../../workflow/judged.ts";
import { independentActions } from "../bots/compile.ts";
import type { LiveBot } from "../bots/live-bots.ts";
import { surveyDefinitions } from "../check/survey.ts";
import { readSettings } from "../settings.ts";
import { type ExplainedApproval, explainApproval } from "./explain-workflow.ts";

/** One action of a sequence, as a drawing shows it. */
export type DrawnStep = {
  readonly action: string;
  readonly auto: boolean | "if_proved";
  readonly gate: boolean;
  /** Whose word it needs, where it always or perhaps needs one. */
  readonly approval: false | ExplainedApproval;
  /** The author's reason for passing over it. */
  readonly skip?: string;
  /** Why nothing can be done here until a file is mended. */
  readonly closed?: string;
};

/** The sequence of one behavior; `closed` where what follows its last step cannot be known. */
export type DrawnBehavior = {
  readonly bot: string;
  readonly behavior: string;
  readonly steps: readonly DrawnStep[];
  readonly anyTime: readonly string[];
  readonly closed?: string;
};

/** Lays out the sequence of every behavior as the engine walks it. */
export function layOut(definitionsFolder: string): readonly DrawnBehavior[] {
  const { wordLevel } = readSettings(definitionsFolder).settings;
  return surveyDefinitions(definitionsFolder).bots.flatMap(({ tree, workflows }: LiveBot) =>
    workflows.map(({ name, steps, closed }) => ({
      bot: tree.name,
      behavior: name,
      steps: steps.map(({ name: action, auto, skip, gate, broken }) => {
        const why = broken?.message ?? (gate?.closed === undefined ? undefined : problemText(gate.closed));
        return {
          action,
          auto,
          gate: gate !== undefined,
          approval: personNeeded({ name: action, auto, ...(gate === undefined ? {} : { gate }) })
            ? { ...explainApproval(gate, wordLevel), ...gate?.approvalSource }
            : false,
          ...(skip === undefined ? {} : { skip }),
          ...(why === undefined ? {} : { closed: why }),
        };
      }),
      anyTime: independentActions(tree),
      ...(closed === undefined ? {} : { closed: closed.message }),
    })),
  );
}

/** Draws sequences in one line each: `gather_context → build_knowledge (auto) → validate_rules [gate]`. */
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
    ...(approval === false || (approval.level === "relayed" && approval.by.length === 0) ? [] : [wordText(approval)]),
    ...(closed === undefined ? [] : [`✗ closed: ${plain(closed)}`]),
  ].join(" ");
}

function wordText({ level, by, count = 1 }: ExplainedApproval): string {
  const who = by.length === 0 ? "" : ` by ${by.map(plain).join(", ")}`;
  return `(${level}${count > 1 ? ` × ${count}` : ""}${who})`;
}

/** A name in one line of text: nothing in it moves a terminal's cursor. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
}
