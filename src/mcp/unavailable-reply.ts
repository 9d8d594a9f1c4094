import { isResourceShortage } from "../kit/out-of-resources.ts";
import { Unavailable } from "../kit/unavailable.ts";
import type { RefusalMessage } from "../messages/refusal-codes.ts";
import { botRefused } from "./bot-calls.ts";
import type { ReplyForm } from "./bot-reply.ts";
import type { CallResult } from "./call-result.ts";
import { isPhaseTool, phaseResult } from "./phase-calls.ts";
import { refuseSearch, searchTool } from "./search-tool.ts";

/** Runs a tool call; if the machine is out of resources or the store does not answer, replies with `unavailable`. */
export async function replyIfUnavailable(
  tool: string,
  form: ReplyForm,
  call: () => Promise<CallResult>,
): Promise<CallResult> {
  try {
    return await call();
  } catch (error) {
    const no = unavailableMessage(error);
    if (no === undefined) throw error;
    return refuseTool(tool, no, form);
  }
}

/** Refuses a tool call in the shape of that tool's replies. */
export function refuseTool(tool: string, words: RefusalMessage, form: ReplyForm): CallResult {
  if (tool === searchTool) return { result: refuseSearch(words, form) };
  return isPhaseTool(tool) ? phaseResult({ ...words, warnings: [] }, true, form) : botRefused(words, [], form);
}

function unavailableMessage(error: unknown): RefusalMessage | undefined {
  if (error instanceof Unavailable) return { error: "unavailable", message: error.message, required_action: error.fix };
  return isResourceShortage(error) ? outOfResources : undefined;
}

const outOfResources: RefusalMessage = {
  error: "unavailable",
  message: "The machine can't open files right now (too many are open, or memory is low).",
  required_action: "Close other programs, then send the same call again; nothing recorded is lost.",
};
