import * as z from "zod/v4";
import type { SearchResult } from "../engine/ports/search.ts";
import { countText } from "../kit/count-text.ts";
import { defined } from "../kit/defined.ts";
import type { JsonObject } from "../kit/json.ts";
import { sessionNotFoundMessage } from "../messages/phase-refusals.ts";
import type { ReplyForm } from "./bot-reply.ts";
import type { CallResult } from "./call-result.ts";
import { fitWarnings } from "./fit.ts";
import { closed, integer, list, object, text, texts } from "./output-schema.ts";
import { sessionId, textUpTo, whole } from "./schemas.ts";
import { defineTool, type ToolFamily } from "./tool.ts";

/** The tools of search. */
export const searchReplies: ToolFamily = {
  replies: closed(
    {
      results: list(
        closed(
          { file: text, section: text, content: text, score: { type: "number" }, tokens: integer },
          { lines: list(integer), matched: object },
        ),
      ),
      total_tokens: integer,
      warnings: texts,
    },
    { hint: text, error: text, message: text, required_action: text },
  ),
  refuse: ({ error, message, required_action }, form) =>
    result({ results: [], total_tokens: 0, warnings: [], error, message, required_action }, true, form),
};

/** The tool that searches the team's standards. */
export const searchStandards = defineTool({
  title: "Search the team's standards",
  description: "Find passages in the team's standards that answer a question. Pass session_id inside a workflow.",
  input: z.strictObject({
    query: textUpTo(200_000),
    terms: z.array(textUpTo(100)).max(20).optional().describe("words a document answering this would use"),
    filter_phase: whole.optional(),
    filter_tags: z.array(textUpTo(200)).max(50).optional(),
    n_results: z.number().int().min(1).max(50).optional(),
    session_id: sessionId.optional(),
  }),
  use: "read",
  family: searchReplies,
  async call(args, { workplace, form }) {
    const found = await workplace.standards.search(defined(args));
    if ("noSession" in found) return searchReplies.refuse(sessionNotFoundMessage(found.noSession), form);
    const { results, totalTokens, warnings, hint } = found;
    const said = { warnings: fitWarnings(warnings), ...defined({ hint }) };
    return result({ results: results.map(searchResult), total_tokens: totalTokens, ...said }, false, form);
  },
});

/** A search result with what helps the reader: the matched terms, and the section. */
function searchResult({ content, file, section, score, tokens, lines, matched }: SearchResult): JsonObject {
  return {
    file,
    section,
    content,
    score,
    tokens,
    lines: [...lines],
    matched: { terms: matched.terms, headings: matched.headings },
  };
}

function result(
  answer: JsonObject & { readonly warnings: readonly string[]; readonly results: readonly JsonObject[] },
  isError: boolean,
  form: ReplyForm,
): CallResult {
  const isLine = form === "line" && !isError;
  const text = isLine ? countText(answer.results.length, "result") : textOf(answer);
  return { result: { content: [{ type: "text", text }], structuredContent: answer, ...(isError ? { isError } : {}) } };
}

function textOf({ error, message, required_action, results, warnings, hint }: JsonObject): string {
  const lines: string[] = hint === undefined ? [] : [String(hint), ""];
  if (error !== undefined) lines.push(`[${String(error)}] ${String(message)}`, String(required_action));
  for (const one of Array.isArray(results) ? results : []) {
    const { file, section, content } = one;
    lines.push(`## ${String(file)}${section === "" ? "" : `: ${String(section)}`}`, "", String(content), "");
  }
  if (lines.length === 0) lines.push("Nothing found.");
  if (Array.isArray(warnings)) lines.push(...warnings.map((warning) => `Warning: ${String(warning)}`));
  return lines.join("\n");
}
