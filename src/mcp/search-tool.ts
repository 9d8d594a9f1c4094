import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { SearchResult, StandardsSearch } from "../engine/ports/search.ts";
import { countText } from "../kit/count-text.ts";
import { defined } from "../kit/defined.ts";
import type { JsonObject } from "../kit/json.ts";
import { sessionNotFoundMessage } from "../messages/phase-refusals.ts";
import type { RefusalMessage } from "../messages/refusal-codes.ts";
import type { ReplyForm } from "./bot-reply.ts";
import { fitWarnings } from "./fit.ts";
import { argumentProblem, searchArguments } from "./schemas.ts";

/** The tool that searches the team's standards. */
export const searchTool = "search_standards";

/** Its definition; none if there is nothing to search. */
export async function listSearchTools(standards: StandardsSearch): Promise<Tool[]> {
  if (!(await standards.isThere())) return [];
  return [
    {
      name: searchTool,
      title: "Search the team's standards",
      description: "Find passages in the team's standards that answer a question. Pass session_id inside a workflow.",
      inputSchema: {
        type: "object",
        properties: {
          query: { type: "string" },
          filter_phase: { type: "integer" },
          filter_tags: { type: "array", items: { type: "string" } },
          n_results: { type: "integer" },
          session_id: { type: "string" },
        },
        required: ["query"],
        additionalProperties: false,
      },
      outputSchema,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
  ];
}

/** Handles a call of it. */
export async function callSearch(standards: StandardsSearch, given: unknown, form: ReplyForm): Promise<CallToolResult> {
  const parsed = searchArguments.safeParse(given);
  if (!parsed.success) {
    const message = `Not accepted: ${argumentProblem(parsed.error, searchArguments).slice(0, 300)}.`;
    return refuseSearch(
      { error: "invalid_input", message, required_action: "Correct the arguments and call again." },
      form,
    );
  }
  const found = await standards.search(defined(parsed.data));
  if ("noSession" in found) return refuseSearch(sessionNotFoundMessage(found.noSession), form);
  const { results, totalTokens, warnings } = found;
  const answer = { results: results.map(searchResult), total_tokens: totalTokens, warnings: fitWarnings(warnings) };
  return result(answer, false, form);
}

/** Refuses a search. */
export function refuseSearch({ error, message, required_action }: RefusalMessage, form: ReplyForm): CallToolResult {
  return result({ results: [], total_tokens: 0, warnings: [], error, message, required_action }, true, form);
}

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
): CallToolResult {
  const isLine = form === "line" && !isError;
  return {
    content: [{ type: "text", text: isLine ? countText(answer.results.length, "result") : textOf(answer) }],
    structuredContent: answer,
    ...(isError ? { isError } : {}),
  };
}

function textOf({ error, message, required_action, results, warnings }: JsonObject): string {
  const lines = Array.isArray(warnings) ? warnings.map((warning) => `Warning: ${String(warning)}`) : [];
  if (error !== undefined) lines.push(`[${String(error)}] ${String(message)}`, String(required_action));
  for (const one of Array.isArray(results) ? results : []) {
    const { file, section, content } = one;
    lines.push(`## ${String(file)}${section === "" ? "" : `: ${String(section)}`}`, "", String(content), "");
  }
  return lines.length === 0 ? "Nothing found." : lines.join("\n");
}

const outputSchema: NonNullable<Tool["outputSchema"]> = {
  type: "object",
  properties: {
    results: {
      type: "array",
      items: {
        type: "object",
        properties: {
          file: { type: "string" },
          section: { type: "string" },
          content: { type: "string" },
          score: { type: "number" },
          tokens: { type: "integer" },
          lines: { type: "array", items: { type: "integer" } },
          matched: { type: "object" },
        },
        required: ["file", "section", "content", "score", "tokens"],
        additionalProperties: false,
      },
    },
    total_tokens: { type: "integer" },
    warnings: { type: "array", items: { type: "string" } },
    error: { type: "string" },
    message: { type: "string" },
    required_action: { type: "string" },
  },
  required: ["results", "total_tokens", "warnings"],
  additionalProperties: false,
};
