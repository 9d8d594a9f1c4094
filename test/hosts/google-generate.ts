import { z } from "zod";
import { defined } from "../../src/kit/defined.ts";
import { type Dialect, nameOf, type Seen, type Turn, taskIn } from "./model-api.ts";

const part = z.looseObject({
  text: z.string().optional(),
  functionResponse: z.looseObject({ response: z.unknown() }).optional(),
});
const content = z.looseObject({ parts: z.array(part), role: z.string().optional() });
const requestBody = z.looseObject({
  contents: z.array(content),
  systemInstruction: content.optional(),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional() }))
    .optional(),
});

/** Google's generateContent as Gemini CLI speaks it. */
export const googleGenerate: Dialect = {
  read(path, body) {
    if (!/:(stream)?[gG]enerateContent/.test(path)) return undefined;
    const { contents, tools = [], systemInstruction } = requestBody.parse(body);
    const parts = contents.flatMap((one) => one.parts);
    const isSummary = /state_snapshot/.test(JSON.stringify([systemInstruction, contents.at(-1)]));
    const names = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
    if (names.length === 0 && !isSummary) return undefined;
    const said = contents.findIndex(({ role }) => role === "model");
    return {
      tools: names,
      ...defined({ task: taskIn(contents.slice(0, said === -1 ? undefined : said)) }),
      answers: parts.flatMap(({ functionResponse: one }) => (one ? [JSON.stringify(one.response)] : [])),
      body,
      isSummary,
      isWhole: !path.includes(":stream"),
    };
  },

  write(turn, seen) {
    const candidate = { content: { role: "model", parts: [partFor(turn, seen)] }, finishReason: "STOP", index: 0 };
    const read = turn.full === true ? 1_000_000 : 1;
    const usageMetadata = { promptTokenCount: read, candidatesTokenCount: 1, totalTokenCount: read + 1 };
    const said = JSON.stringify({ candidates: [candidate], usageMetadata, modelVersion: "scripted" });
    return seen.isWhole === true ? said : `data: ${said}\n\n`;
  },

  aside: (path) => (path.includes(":countTokens") ? { totalTokens: 10 } : undefined),
};

function partFor(turn: Turn, seen: Seen): object {
  if ("say" in turn) return { text: turn.say };
  if ("search" in turn) return { text: `No tool for ${turn.search}.` };
  return { functionCall: { name: "own" in turn ? turn.own : nameOf(turn.call, seen), args: turn.with } };
}
