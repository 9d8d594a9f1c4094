import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { JsonObject } from "../evidence/json.ts";
import type { SearchResult, StandardsSearch } from "../retrieval/ports.ts";
import type { RefusalWords } from "../words/codes.ts";
import { sessionNotFound } from "../words/phases.ts";
import type { TextForm } from "./bot-reply.ts";
import { defined } from "./defined.ts";
import { fitWarnings } from "./fit.ts";
import { argumentProblem, searchArguments } from "./schemas.ts";

/** The tool that finds the right standard at the right moment. */
export const searchTool = "search_standards";

/** Its definition; none where there is nothing to search. */
export async function listSearchTools(standards: StandardsSearch): Promise<Tool[]> {
  if (!(await standards.isThere())) return [];
  return [
    {
      name: searchTool,
      title: "Search the team's standards",
      description:
        "Find the passages of the team's standards that answer a question. Pass session_id inside a workflow.",
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

/** Carries out a call of it. */
export async function callSearch(standards: StandardsSearch, given: unknown, form: TextForm): Promise<CallToolResult> {
  const parsed = searchArguments.safeParse(given);
  if (!parsed.success) {
    const message = `Not taken: ${argumentProblem(parsed.error, searchArguments).slice(0, 300)}.`;
    return noSearch(
      { error: "invalid_input", message, required_action: "Correct the arguments and call again." },
      form,
    );
  }
  const found = await standards.search(defined(parsed.data));
  if ("noSession" in found) return noSearch(sessionNotFound(found.noSession), form);
  const { results, totalTokens, warnings } = found;
  const answer = { results: results.map(shown), total_tokens: totalTokens, warnings: fitWarnings(warnings) };
  return result(answer, false, form);
}

/** A no to a search. */
export function noSearch({ error, message, required_action }: RefusalWords, form: TextForm): CallToolResult {
  return result({ results: [], total_tokens: 0, warnings: [], error, message, required_action }, true, form);
}

/** Which words and headings matched is said as far as it helps: the terms, and the section itself. */
function shown({ content, file, section, score, tokens, lines, matched }: SearchResult): JsonObject {
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
  form: TextForm,
): CallToolResult {
  const isLine = form === "line" && !isError;
  return {
    content: [{ type: "text", text: isLine ? `${answer.results.length} result(s)` : textOf(answer) }],
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
