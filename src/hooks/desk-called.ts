import { runName } from "../evidence/run-name.ts";
import type { ToolUse } from "./occasion.ts";
import type { OpenWork, Surroundings } from "./surroundings.ts";

/** The desk that a call of a tool was about, by what it named and what was answered; undefined where neither tells. */
export function deskCalled(
  { tool, input, response = "" }: ToolUse & { kind: "waymark" },
  { work, runHere }: Pick<Surroundings, "work" | "runHere">,
): string | undefined {
  const session = textIn(input.session_id) ?? /"?session[_ ]id"?\s*:\s*"?([\w.-]+)/i.exec(response)?.[1];
  if (session !== undefined) return work.find(isSession(session))?.key;
  // A line of text may be all there is: an id, and where it stands.
  const named = work.find(({ desk }) => desk.kind === "session" && response.includes(desk.name));
  if (named !== undefined) return named.key;
  if (/^(start_workflow|get_phase_content|complete_phase|get_workflow_state)$/.test(tool)) return undefined;
  const said = textIn(input.run);
  const answered = /"run"\s*:\s*"([^"]+)"/.exec(response)?.[1] ?? /\(run ([^)\s]+)\)/.exec(response)?.[1];
  const run = answered ?? (said === undefined ? runHere : (runName(said) ?? said));
  const bot = textIn(input.bot) ?? /"bot"\s*:\s*"([^"]+)"/.exec(response)?.[1];
  const ofRun = work.filter(({ desk }) => desk.kind === "bot" && desk.run === run);
  const found = ofRun.filter((one) => (bot === undefined ? isToolOf(tool)(one) : one.desk.name === bot));
  return (found.length === 1 ? found : ofRun.length === 1 ? ofRun : [])[0]?.key;
}

function isSession(id: string): (work: OpenWork) => boolean {
  return ({ desk }) => desk.kind === "session" && desk.name === id;
}

/** Whether a tool is one of the bot's that has a desk, by its own name or its behavior's. */
export function isToolOf(tool: string): (work: OpenWork) => boolean {
  return ({ desk: { kind, name }, steps, next }) =>
    kind === "bot" &&
    (name.replace(/[^a-zA-Z0-9_-]/g, "_") === tool ||
      [...steps, ...(next === undefined ? [] : [next])].some(({ workflow }) => `${workflow}_bot` === tool));
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
