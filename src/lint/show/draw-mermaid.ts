import type { DrawnBehavior, DrawnStep } from "./draw-sequences.ts";

/** Draws sequences as a Mermaid flowchart, one box for each behavior, with all names escaped. */
export function drawMermaid(behaviors: readonly DrawnBehavior[]): string[] {
  return ["flowchart LR", ...behaviors.flatMap(drawBehavior)];
}

function drawBehavior({ bot, behavior, steps, closed }: DrawnBehavior, index: number): string[] {
  const idOf = (position: number): string => `b${index + 1}s${position + 1}`;
  const nodes = steps.map((step, position) => `    ${idOf(position)}${nodeOf(step)}`);
  const end = closed === undefined ? [] : [`    ${idOf(steps.length)}{{"${escaped(`closed: ${closed}`)}"}}`];
  const count = steps.length + end.length;
  const links = Array.from(
    { length: Math.max(0, count - 1) },
    (_, position) => `    ${idOf(position)} --> ${idOf(position + 1)}`,
  );
  return [`  subgraph b${index + 1}["${escaped(`${bot}: ${behavior}`)}"]`, ...nodes, ...end, ...links, "  end"];
}

function nodeOf({ action, auto, gate, skip, closed }: DrawnStep): string {
  const notes = [
    ...(auto === false ? [] : [auto === true ? "auto" : "if proved"]),
    ...(skip === undefined ? [] : [`skip: ${skip}`]),
    ...(gate ? ["gate"] : []),
    ...(closed === undefined ? [] : [`closed: ${closed}`]),
  ];
  const label = escaped([action, ...notes.map((note) => `(${note})`)].join(" "));
  if (closed !== undefined) return `{{"${label}"}}`;
  return gate ? `{"${label}"}` : skip === undefined ? `["${label}"]` : `("${label}")`;
}

/** Escapes a label with entity codes, which Mermaid reads in quotes. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .replaceAll(/[^\p{L}\p{N} _.,:()-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}
