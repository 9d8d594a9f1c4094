import { z } from "zod";
import { defined } from "../../src/kit/defined.ts";
import { type Dialect, nameOf, type Seen, type Turn, taskIn } from "./model-api.ts";

const part = z.looseObject({ text: z.string().optional() });
const message = z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(part), z.null()]).optional() });
const requestBody = z.looseObject({
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  messages: z.array(message).min(1),
  stream: z.boolean().optional(),
});

/** The Chat Completions API as Qwen Code, Copilot CLI and OpenCode speak it. */
export const openaiChat: Dialect = {
  read(path, body) {
    if (!path.endsWith("/chat/completions")) return undefined;
    const { tools = [], messages, stream } = requestBody.parse(body);
    const asked = messages.at(-1);
    const isSummary = asked?.role === "user" && summaries.test(textOf(asked));
    if (tools.length === 0 && !isSummary) return undefined; // a side question, such as a title for the chat
    const said = messages.findIndex(({ role }) => role === "assistant");
    const users = messages.slice(0, said === -1 ? undefined : said).filter(({ role }) => role === "user");
    return {
      tools: tools.map((tool) => tool.function.name),
      ...defined({ task: taskIn(users) }),
      answers: messages.filter(({ role }) => role === "tool").map(textOf),
      body,
      isSummary,
      isWhole: stream !== true,
    };
  },

  write(turn, seen) {
    const read = turn.full === true || seen.isSummary === true ? 170_000 : 1; // more would be too late for Qwen Code
    const about = { id: `chat_${seen.answers.length}`, object: "chat.completion.chunk", created: 1, model: "scripted" };
    const usage = { prompt_tokens: read, completion_tokens: 1, total_tokens: read + 1 };
    const delta = { role: "assistant", ...deltaFor(turn, seen) };
    if (seen.isWhole === true) {
      const choice = { index: 0, message: delta, finish_reason: "stop" };
      return JSON.stringify({ ...about, object: "chat.completion", choices: [choice], usage });
    }
    const end = "say" in turn ? "stop" : "tool_calls";
    const chunks = [
      { ...about, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...about, choices: [{ index: 0, delta: {}, finish_reason: end }] },
      { ...about, choices: [], usage },
    ];
    return [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
  },
};

/** How these hosts ask for a summary. */
const summaries =
  /<state_snapshot>|component that summarizes a conversation|create a detailed summary|^Here is the conversation so far:/;

function textOf(one: z.infer<typeof message> | undefined): string {
  const content = one?.content ?? "";
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");
}

function deltaFor(turn: Turn, seen: Seen): object {
  if ("say" in turn) return { content: turn.say };
  const { name, given } = callFor(turn, seen);
  const call = { name, arguments: JSON.stringify(given) };
  return {
    content: null,
    tool_calls: [{ index: 0, id: `call_${seen.answers.length}`, type: "function", function: call }],
  };
}

/** A tool that is kept back (Qwen Code) is found with a search, and called through another. */
function callFor(turn: Exclude<Turn, { say: string }>, seen: Seen): { name: string; given: object } {
  if ("search" in turn) return { name: "tool_search", given: { query: turn.search } };
  if ("own" in turn) return { name: turn.own, given: turn.with };
  const name = nameOf(turn.call, seen, "mcp__waymark__");
  if (seen.tools.includes(name) || !seen.tools.includes("tool_call")) return { name, given: turn.with };
  return { name: "tool_call", given: { name, arguments: turn.with } };
}
