import { stepRow, stepSign } from "../../dashboard/overview/run-row.ts";
import { type StepSign, signOf } from "../../dashboard/overview/step-signs.ts";
import { stepText } from "../../dashboard/overview/step-text.ts";
import { localTime } from "../../kit/local-time.ts";
import { oneLine, paint } from "../terminal/print.ts";
import { cutToWidth, visibleLength } from "../terminal/wrap.ts";
import type { BotStatus, ShownStep } from "./status-data.ts";

/** Formats a short map: one line per behavior, with one symbol per step, and its open step unless that is the one in `told`. */
export function statusMap({ workflows, focus }: BotStatus, width: number, told?: string): string[] {
  const titles = workflows.map((workflow) => behaviorTitle(workflow, focus?.workflow));
  const left = Math.max(...titles.map(visibleLength), 0);
  const most = Math.max(...workflows.map(({ steps }) => steps.length), 0);
  const room = Number.isFinite(width) ? Math.max(10, width - left - 2 * most - 8) : 1000;
  return workflows.map(({ workflow, steps }, row) => {
    const title = titles[row] ?? "";
    const open = workflow === told ? undefined : steps.find(({ state }) => state === "started");
    const said =
      open === undefined ? "" : paintStep(open, cutToWidth(`${symbolOf(open)} ${openText(workflow, open)}`, room));
    const symbols = steps.map((step) => paintStep(step, symbolOf(step))).join(" ");
    const padding = " ".repeat(2 * (most - steps.length));
    return `  ${title}${" ".repeat(left - visibleLength(title))}  ${symbols}${padding}  ${said}`.trimEnd();
  });
}

/** Formats the map of every behavior, one line per step. */
export function statusLines({ workflows, focus }: BotStatus): string[] {
  return workflows.flatMap((workflow, index) => [
    ...(index === 0 ? [] : [""]),
    behaviorTitle(workflow, focus?.workflow),
    ...workflow.steps.map((step) => stepLine(workflow.workflow, step)),
  ]);
}

/** Formats a behavior's name with its notes. */
function behaviorTitle(
  { workflow, pass, finished }: BotStatus["workflows"][number],
  focus: string | undefined,
): string {
  const notes = [
    ...(focus === workflow ? ["current"] : []),
    ...(finished ? ["finished"] : []),
    ...(pass > 1 ? [`pass ${pass}`] : []),
  ];
  const title = notes.length === 0 ? workflow : `${workflow} (${notes.join(", ")})`;
  return focus === workflow ? paint("cyan", title) : title;
}

function stepLine(workflow: string, step: ShownStep): string {
  const { state, since, stale } = step;
  const line = `  ${symbolOf(step)} ${openText(workflow, step)}`;
  if (state === "waiting") return paintStep(step, line);
  return paintStep(
    step,
    `${line}${stale === undefined ? "" : ", stale"}${since === undefined ? "" : `  ${localTime(since)}`}`,
  );
}

/** Names a step and its state. */
function openText(workflow: string, step: ShownStep): string {
  const label = ["started", "waiting"].includes(step.state)
    ? step.step
    : `${step.step}  ${step.state.replace("_", " ")}`;
  return oneLine(stepText({ ...stepRow("bot", { ...step, workflow }), label }));
}

function symbolOf(step: ShownStep): string {
  return signOf(stepSign(step)).symbol;
}

const styles: Readonly<{ [Sign in StepSign]?: "yellow" | "red" | "green" | "dim" }> = {
  w: "yellow",
  s: "red",
  o: "green",
  ".": "dim",
};

/** Colours a text by the state of its step. */
function paintStep(step: ShownStep, text: string): string {
  const style = step.stale === undefined ? styles[stepSign(step)] : "yellow";
  return style === undefined ? text : paint(style, text);
}
