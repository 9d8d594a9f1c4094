import type { PresentRequest, StepResults } from "../../engine/ports/definitions.ts";
import type { Json } from "../../kit/json.ts";
import { type MaterialFound, onePiece } from "./material-source.ts";

const longest = 1_600;
const longestPointers = 300;

/** The outputs of earlier steps, newest first and whole as far as they fit; the rest as files to read. */
export function previousOutputs({ workflow, step, produced, brief }: PresentRequest): MaterialFound {
  const earlier = produced
    .filter((one) => one.workflow !== workflow || one.step !== step)
    .filter(({ outputs, content }) => Object.keys(outputs ?? {}).length > 0 || content.length > 0)
    .reverse();
  // An assistant inside a behavior already knows the earlier outputs, so only the last record is named.
  const newest = earlier.find((one) => one.workflow === workflow);
  if (brief === true) {
    const place = newest === undefined ? "" : recordOf(newest);
    return { title: "Earlier", pieces: onePiece("previous_outputs", place), problems: [] };
  }
  const lines: string[] = [];
  let room = longest - longestPointers;
  for (const [index, one] of earlier.entries()) {
    const line = describe(one, workflow);
    if (line.length > room) {
      const pointer = `… (full text: ${one.record ?? one.content[0]?.path ?? "not kept"})`;
      const kept = line.slice(0, Math.max(0, room - pointer.length));
      if (kept.length > 80) lines.push(kept + pointer);
      const rest = earlier.slice(kept.length > 80 ? index + 1 : index);
      if (rest.length > 0) lines.push(recordPointers(rest, workflow));
      break;
    }
    room -= line.length;
    lines.push(line);
  }
  return { pieces: onePiece("previous_outputs", lines.join("\n")), problems: [] };
}

/** The files that this workflow has submitted, which its judgement is about. */
export function filesOnRecord({ workflow, produced }: PresentRequest): MaterialFound {
  const own = produced
    .filter((one) => one.workflow === workflow)
    .flatMap(({ content }) => content.map(({ path }) => path));
  return { pieces: onePiece("files_on_record", [...new Set(own)].join(", ")), problems: [] };
}

function describe(one: StepResults, workflow: string): string {
  const outputs = Object.entries(one.outputs ?? {}).map(([key, value]) => `${key}: ${compact(value)}`);
  const files = one.content.map(({ path }) => path);
  const parts = [...outputs, ...(files.length === 0 ? [] : [`files ${files.join(", ")}`])];
  return `- **${stepName(one, workflow)}**: ${parts.join("; ")}`;
}

function recordPointers(rest: readonly StepResults[], workflow: string): string {
  const text = rest.map((one) => `${stepName(one, workflow)} in ${recordOf(one)}`).join(", ");
  return `- Earlier: ${text.length > longestPointers ? `${text.slice(0, longestPointers - 1)}…` : text}`;
}

function recordOf(one: StepResults): string {
  return one.record ?? one.content[0]?.path ?? "the log";
}

function stepName(one: StepResults, workflow: string): string {
  return one.workflow === workflow ? one.step : `${one.workflow}.${one.step}`;
}

function compact(value: Json): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).replaceAll(/\s+/g, " ");
}
