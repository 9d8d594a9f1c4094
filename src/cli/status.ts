import type { Standing, StepStanding } from "../engine/standing.ts";
import { paint, print, printJson } from "./print.ts";
import { type BotOptions, engineFor } from "./workplace.ts";

/** Prints where every behavior stands and what comes next. */
export async function status(options: BotOptions): Promise<void> {
  const { bot, engine, warnings } = engineFor(options);
  const standing = await engine.standing();
  if (options.json) return printJson({ ...standing, warnings: [...warnings, ...standing.warnings] });
  print(
    paint("bold", bot),
    ...standing.workflows.flatMap((workflow) => behaviorLines(workflow, standing)),
    "",
    nextLine(standing),
  );
  for (const warning of [...warnings, ...standing.warnings]) print(paint("yellow", `! ${warning}`));
}

const marks: Record<StepStanding["state"], string> = {
  completed: "✓",
  vouched: "✓",
  skipped: "–",
  started: "▶",
  next: "○",
  waiting: "·",
};

function behaviorLines(
  { workflow, pass, finished, steps }: Standing["workflows"][number],
  { focus }: Standing,
): string[] {
  const notes = [
    ...(pass > 1 ? [`pass ${pass}`] : []),
    ...(finished ? ["finished"] : []),
    ...(focus?.workflow === workflow ? ["current"] : []),
  ];
  const title = `${workflow}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
  return ["", paint(focus?.workflow === workflow ? "cyan" : "dim", title), ...steps.map(stepLine)];
}

function stepLine({ step, state, since }: StepStanding): string {
  const line = `  ${marks[state]} ${step}${state === "waiting" ? "" : `  ${state}`}${since === undefined ? "" : `  ${since}`}`;
  return state === "started" ? paint("green", line) : state === "waiting" ? paint("dim", line) : line;
}

function nextLine({ workflows, focus, closed }: Standing): string {
  if (closed !== undefined) return `Closed: ${closed.message}. Mend ${closed.file}.`;
  const workflow = workflows.find((candidate) => candidate.workflow === focus?.workflow) ?? workflows[0];
  const current = workflow?.steps.find(({ state }) => state === "started" || state === "next");
  if (workflow === undefined) return "No behaviors.";
  if (current === undefined) {
    const following = workflows.find(({ finished }) => !finished);
    return following === undefined
      ? "Everything is done."
      : `${workflow.workflow} is done. Next behavior: ${following.workflow}.`;
  }
  const waits =
    current.state === "started"
      ? "is open: it waits for complete_action"
      : "comes next: call the bot's tool to open it";
  return `${workflow.workflow}.${current.step} ${waits}.`;
}
