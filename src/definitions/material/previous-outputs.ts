import type { PresentRequest, Produced } from "../../engine/ports.ts";
import type { Json } from "../../evidence/json.ts";
import { type Found, onePiece } from "./found.ts";

const longest = 1_600;
const longestPointers = 300;

/** What earlier steps produced, the newest first and whole as far as there is room; the rest by the files to read. */
export function previousOutputs({ workflow, step, produced, brief }: PresentRequest): Found {
  const earlier = produced
    .filter((one) => one.workflow !== workflow || one.step !== step)
    .filter(({ outputs, content }) => Object.keys(outputs ?? {}).length > 0 || content.length > 0)
    .reverse();
  // Whoever walks a behavior was told at its first step what came before it, has handed in the rest itself, and was told
  // with each step where the one before it is kept.
  const newest = earlier.find((one) => one.workflow === workflow);
  if (brief === true) {
    const place = newest === undefined ? "" : placeOf(newest);
    return { title: "Earlier", pieces: onePiece("previous_outputs", place), problems: [] };
  }
  const lines: string[] = [];
  let room = longest - longestPointers;
  for (const [index, one] of earlier.entries()) {
    const line = describe(one, workflow);
    if (line.length > room) {
      const pointer = `… (whole: ${one.record ?? one.content[0]?.path ?? "not kept"})`;
      const kept = line.slice(0, Math.max(0, room - pointer.length));
      if (kept.length > 80) lines.push(kept + pointer);
      const rest = earlier.slice(kept.length > 80 ? index + 1 : index);
      if (rest.length > 0) lines.push(pointers(rest, workflow));
      break;
    }
    room -= line.length;
    lines.push(line);
  }
  return { pieces: onePiece("previous_outputs", lines.join("\n")), problems: [] };
}

/** The files that this workflow has handed in: what a judgement of it is about. */
export function filesOnRecord({ workflow, produced }: PresentRequest): Found {
  const own = produced
    .filter((one) => one.workflow === workflow)
    .flatMap(({ content }) => content.map(({ path }) => path));
  return { pieces: onePiece("files_on_record", [...new Set(own)].join(", ")), problems: [] };
}

function describe(one: Produced, workflow: string): string {
  const outputs = Object.entries(one.outputs ?? {}).map(([key, value]) => `${key}: ${compact(value)}`);
  const files = one.content.map(({ path }) => path);
  const parts = [...outputs, ...(files.length === 0 ? [] : [`files ${files.join(", ")}`])];
  return `- **${nameOf(one, workflow)}**: ${parts.join("; ")}`;
}

function pointers(rest: readonly Produced[], workflow: string): string {
  const text = rest.map((one) => `${nameOf(one, workflow)} in ${placeOf(one)}`).join(", ");
  return `- Earlier: ${text.length > longestPointers ? `${text.slice(0, longestPointers - 1)}…` : text}`;
}

function placeOf(one: Produced): string {
  return one.record ?? one.content[0]?.path ?? "the log";
}

function nameOf(one: Produced, workflow: string): string {
  return one.workflow === workflow ? one.step : `${one.workflow}.${one.step}`;
}

function compact(value: Json): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).replaceAll(/\s+/g, " ");
}
