import { isShortage } from "../evidence/shortage.ts";
import type { RefusalWords } from "../words/codes.ts";
import { refused } from "./bot-calls.ts";
import type { TextForm } from "./bot-reply.ts";
import { isPhaseTool, result } from "./phase-calls.ts";
import { noSearch, searchTool } from "./search-tool.ts";
import type { Called } from "./server.ts";

/** Carries out a call of a tool. Where the machine has no room to look at its files, nobody knows what they say: that is the answer, and no other. */
export async function whileThereIsRoom(tool: string, form: TextForm, call: () => Promise<Called>): Promise<Called> {
  try {
    return await call();
  } catch (error) {
    if (!isShortage(error)) throw error;
    if (tool === searchTool) return { result: noSearch(noRoom, form) };
    return isPhaseTool(tool) ? result({ ...noRoom, warnings: [] }, true, form) : refused(noRoom, [], form);
  }
}

const noRoom: RefusalWords = {
  error: "unavailable",
  message: "The machine has no room to open files just now (too many are open, or memory is short).",
  required_action: "Close other programs, then send the same call again; what was recorded stays recorded.",
};
