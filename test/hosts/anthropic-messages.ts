import { z } from "zod";
import { type Dialect, eventStream, nameOf, type StreamEvent, type Turn, taskMark } from "./model-api.ts";

const textBlock = z.looseObject({ text: z.string().optional(), tool_name: z.string().optional() });
const toolResult = z.looseObject({
  type: z.literal("tool_result"),
  content: z.union([z.string(), z.array(textBlock)]).optional(),
});
const requestBody = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  messages: z.array(
    z.looseObject({ content: z.union([z.string(), z.array(z.union([toolResult, z.looseObject({})]))]) }),
  ),
});

/** The Messages API as Claude Code speaks it: tools it keeps back are named in a reminder and fetched with `ToolSearch`. */
export const anthropicMessages: Dialect = {
  read(path, body) {
    if (!path.startsWith("/v1/messages?") && path !== "/v1/messages") return undefined;
    const request = requestBody.safeParse(body);
    if (!request.success) return undefined;
    const { tools = [], messages } = request.data;
    const isSummary = JSON.stringify(messages.at(-1)).includes("create a detailed summary");
    if (tools.length === 0 && !isSummary) return undefined; // a side question, such as a title for the chat
    const task = taskIn(messages[0]?.content);
    return {
      tools: tools.map((tool) => tool.name),
      ...(task === undefined ? {} : { task }),
      answers: messages.flatMap((message) => answersIn(message.content)),
      body,
      isSummary,
    };
  },

  write(turn, seen) {
    const usage = { input_tokens: turn.full === true ? 990_000 : 1, output_tokens: 1 };
    const id = `${seen.answers.length + 1}`;
    const message = { id: `msg_${id}`, type: "message", role: "assistant", model: "scripted", content: [] };
    return eventStream([
      { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null, usage } },
      ...blocksOf(turn, (call) => nameOf(call, seen, "mcp__waymark__")).flatMap((block, index) =>
        blockEvents(block, index, id),
      ),
      {
        type: "message_delta",
        delta: {
          stop_reason: "say" in turn && turn.agents === undefined ? "end_turn" : "tool_use",
          stop_sequence: null,
        },
        usage,
      },
      { type: "message_stop" },
    ]);
  },
};

function answersIn(content: z.infer<typeof requestBody>["messages"][number]["content"]): readonly string[] {
  if (typeof content === "string") return [];
  return content.flatMap((block) => {
    const result = toolResult.safeParse(block);
    if (!result.success) return [];
    const said = result.data.content ?? "";
    return [typeof said === "string" ? said : said.map((part) => part.text ?? part.tool_name ?? "").join("\n")];
  });
}

/** What a sub-agent was told to do; undefined in the conversation of a person. */
function taskIn(content: z.infer<typeof requestBody>["messages"][number]["content"] = ""): string | undefined {
  const blocks = typeof content === "string" ? [{ text: content }] : content;
  const texts = blocks.flatMap((block) => textBlock.safeParse(block).data?.text ?? []);
  // A workflow puts words of its own before the task.
  const told = texts.map((text) => text.split(taskMark)[1]).find((task) => task !== undefined);
  return told?.split("\n")[0];
}

type Block = { readonly text: string } | { readonly name: string; readonly input: object };

function blocksOf(turn: Turn, named: (call: string) => string): readonly Block[] {
  if ("say" in turn) return [{ text: turn.say }, ...(turn.agents ?? []).map(agentBlock)];
  if ("search" in turn) return [{ name: "ToolSearch", input: { query: turn.search, max_results: 5 } }];
  return [{ name: "own" in turn ? turn.own : named(turn.call), input: turn.with }];
}

function agentBlock(task: string): Block {
  const input = { description: task, prompt: `${taskMark}${task}`, run_in_background: false };
  return { name: "Agent", input: { ...input, subagent_type: "general-purpose" } };
}

function blockEvents(block: Block, index: number, id: string): readonly StreamEvent[] {
  const [content_block, delta] =
    "text" in block
      ? [
          { type: "text", text: "" },
          { type: "text_delta", text: block.text },
        ]
      : [
          { type: "tool_use", id: `toolu_${id}_${index}`, name: block.name, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
        ];
  return [
    { type: "content_block_start", index, content_block },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ];
}
