import { z } from "zod";
import { defined } from "../../src/kit/defined.ts";
import { type Dialect, eventStream, type Seen, type Turn, taskIn } from "./model-api.ts";

const tool = z.looseObject({
  name: z.string().optional(),
  type: z.string(),
  get tools() {
    return z.array(tool).optional();
  },
});
const outputPart = z.looseObject({ text: z.string().optional() });
const inputItem = z.looseObject({
  type: z.string(),
  role: z.string().optional(),
  output: z.union([z.string(), z.array(outputPart)]).optional(),
  tools: z.array(tool).optional(),
});
const requestBody = z.looseObject({ tools: z.array(tool).optional(), input: z.array(inputItem) });

type Tool = z.infer<typeof tool>;

/**
 * The Responses API as Codex speaks it. By the model's name, Codex lists its MCP tools, keeps them back behind
 * `tool_search`, or has the model write JavaScript for `exec` that calls them.
 */
export const openaiResponses: Dialect = {
  read(path, body) {
    if (path !== "/v1/responses") return undefined;
    const { tools = [], input } = requestBody.parse(body);
    const isSummary = JSON.stringify(input.at(-1)).includes("CONTEXT CHECKPOINT COMPACTION");
    if (tools.length === 0 && !isSummary && !input.some((item) => item.tools)) return undefined; // a side question, such as a title for the chat
    const called = input.findIndex(({ type, role }) => type.endsWith("_call") || role === "assistant");
    return {
      ...defined({ task: taskIn(input.slice(0, called === -1 ? undefined : called)) }),
      tools: [...tools, ...input.flatMap((item) => item.tools ?? [])].flatMap((listed) => namesOf(listed)),
      answers: input.filter((item) => item.type.endsWith("_output")).map(answerOf),
      body,
      isSummary,
    };
  },

  write(turn, seen) {
    const id = `${seen.answers.length + 1}`;
    const read = turn.full === true ? 199_000 : 1;
    const usage = { input_tokens: read, input_tokens_details: null, output_tokens: 1, output_tokens_details: null };
    return eventStream([
      { type: "response.created", response: { id: `resp_${id}` } },
      { type: "response.output_item.done", item: { call_id: `call_${id}`, ...itemFor(turn, seen) } },
      { type: "response.completed", response: { id: `resp_${id}`, usage: { ...usage, total_tokens: read + 1 } } },
    ]);
  },
};

function namesOf(listed: Tool, prefix = ""): readonly string[] {
  const name = prefix + (listed.name ?? listed.type);
  return listed.tools ? listed.tools.flatMap((inner) => namesOf(inner, `${name}__`)) : [name];
}

function answerOf(item: z.infer<typeof inputItem>): string {
  if (item.tools) return item.tools.flatMap((found) => namesOf(found)).join("\n");
  return typeof item.output === "string" ? item.output : (item.output ?? []).map((part) => part.text ?? "").join("\n");
}

function itemFor(turn: Turn, seen: Seen): { readonly type: string; readonly [field: string]: unknown } {
  if ("say" in turn) {
    return { type: "message", role: "assistant", content: [{ type: "output_text", text: turn.say }] };
  }
  if (seen.tools.includes("functions__exec")) {
    return { type: "custom_tool_call", namespace: "functions", name: "exec", input: codeFor(turn) };
  }
  if ("search" in turn)
    return { type: "tool_search_call", execution: "client", status: "completed", arguments: { query: turn.search } };
  return "own" in turn
    ? { type: "function_call", ...namespaced(turn.own), arguments: JSON.stringify(turn.with) }
    : { type: "function_call", namespace: "mcp__waymark", name: turn.call, arguments: JSON.stringify(turn.with) };
}

/** A tool of a namespace, `multi_agent_v1.spawn_agent`. */
function namespaced(own: string): { readonly namespace?: string; readonly name: string } {
  const [namespace = "", name] = own.split(".");
  return name === undefined ? { name: own } : { namespace, name };
}

function codeFor(turn: Exclude<Turn, { say: string }>): string {
  if ("own" in turn) return `text(await tools.${turn.own}(${JSON.stringify(turn.with)}))`;
  if ("call" in turn) return `text(await tools.mcp__waymark__${turn.call}(${JSON.stringify(turn.with)}))`;
  const words = JSON.stringify(turn.search.toLowerCase().split(" "));
  return `text(ALL_TOOLS.filter(t => ${words}.every(w => (t.name + t.description).toLowerCase().includes(w))))`;
}
