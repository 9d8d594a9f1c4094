import { completeTool, isFixedTool } from "../../workflow/fixed-tools.ts";
import { runName } from "../../workflow/run-name.ts";
import type { HookContext, OpenWork } from "./hook-context.ts";
import type { ToolUse } from "./hook-event.ts";

/** The stream that a tool call was about, from its input and response; undefined if neither says. */
export function streamCalled(
  { tool, input, response = "" }: ToolUse & { kind: "waymark" },
  { work, runHere }: Pick<HookContext, "work" | "runHere">,
): string | undefined {
  const session = textIn(input.session_id) ?? /"?session[_ ]id"?\s*:\s*"?([\w.-]+)/i.exec(response)?.[1];
  if (session !== undefined) return work.find(isSession(session))?.key;
  // The response may be one line of text with the id in it.
  const named = work.find(({ desk: stream }) => stream.kind === "session" && response.includes(stream.name));
  if (named !== undefined) return named.key;
  if (isFixedTool(tool) && tool !== completeTool) return undefined;
  const said = textIn(input.run);
  const answered = /"run"\s*:\s*"([^"]+)"/.exec(response)?.[1] ?? /\(run ([^)\s]+)\)/.exec(response)?.[1];
  const run = answered ?? (said === undefined ? runHere : (runName(said) ?? said));
  const bot = textIn(input.bot) ?? /"bot"\s*:\s*"([^"]+)"/.exec(response)?.[1];
  const ofRun = work.filter(({ desk: stream }) => stream.kind === "bot" && stream.run === run);
  const found = ofRun.filter((one) => (bot === undefined ? isToolOf(tool)(one) : one.desk.name === bot));
  return (found.length === 1 ? found : ofRun.length === 1 ? ofRun : [])[0]?.key;
}

function isSession(id: string): (work: OpenWork) => boolean {
  return ({ desk: stream }) => stream.kind === "session" && stream.name === id;
}

/** True for work of the bot that has this tool, by its own name or its behavior's. */
export function isToolOf(tool: string): (work: OpenWork) => boolean {
  return ({ desk: { kind, name }, steps, next }) =>
    kind === "bot" &&
    (name.replace(/[^a-zA-Z0-9_-]/g, "_") === tool ||
      [...steps, ...(next === undefined ? [] : [next])].some(({ workflow }) => `${workflow}_bot` === tool));
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
