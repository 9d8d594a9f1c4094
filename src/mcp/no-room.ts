import { isShortage } from "../evidence/shortage.ts";
import { Unavailable } from "../evidence/unavailable.ts";
import type { RefusalWords } from "../words/codes.ts";
import { refused } from "./bot-calls.ts";
import type { TextForm } from "./bot-reply.ts";
import { isPhaseTool, result } from "./phase-calls.ts";
import { noSearch, searchTool } from "./search-tool.ts";
import type { Called } from "./server.ts";

/** Carries out a call of a tool. Where the machine has no room to look at its files, or the store does not answer, nobody knows how things stand: that is the answer, and no other. */
export async function whileThereIsRoom(tool: string, form: TextForm, call: () => Promise<Called>): Promise<Called> {
  try {
    return await call();
  } catch (error) {
    const no = refusalOf(error);
    if (no === undefined) throw error;
    return noTo(tool, no, form);
  }
}

/** No to a call of a tool, in the shape that the tool answers in. */
export function noTo(tool: string, words: RefusalWords, form: TextForm): Called {
  if (tool === searchTool) return { result: noSearch(words, form) };
  return isPhaseTool(tool) ? result({ ...words, warnings: [] }, true, form) : refused(words, [], form);
}

function refusalOf(error: unknown): RefusalWords | undefined {
  if (error instanceof Unavailable) return { error: "unavailable", message: error.message, required_action: error.fix };
  return isShortage(error) ? noRoom : undefined;
}

const noRoom: RefusalWords = {
  error: "unavailable",
  message: "The machine has no room to open files just now (too many are open, or memory is short).",
  required_action: "Close other programs, then send the same call again; what was recorded stays recorded.",
};
