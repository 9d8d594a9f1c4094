import { createReadStream } from "node:fs";
import { stdin } from "node:process";
import { createInterface } from "node:readline";
import type { SearchAnswer, SearchRequest, StandardsSearch } from "../../engine/ports/search.ts";
import { defined } from "../../kit/defined.ts";
import { jsonText, oneLine, paint, print, printable, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, workplaceFor } from "../terminal/workplace-options.ts";

export type SearchCommandOptions = PlaceOptions & {
  readonly phase?: string;
  readonly terms?: string;
  readonly tags?: string;
  readonly limit?: string;
  readonly budget?: string;
  readonly session?: string;
  readonly queries?: string;
  readonly json?: true;
};

/** Searches the standards as the tools do: one query, or many from a file, one per line. */
export async function search(words: readonly string[], options: SearchCommandOptions): Promise<void> {
  const { standards, definitions } = workplaceFor(options);
  if (!(await standards.isThere()))
    throw new UserError(`There are no standards in ${definitions}/standards. Add Markdown files there.`);
  const given = requestOf(options);
  if (options.queries === undefined && words.length === 0)
    throw new UserError('Add a query, for example: waymark search "how do we name tests".');
  try {
    await waitForIndex(standards);
    if (options.queries !== undefined) return await searchMany(standards, options.queries, given);
    const answer = await runQuery(standards, { ...given, query: words.join(" ") });
    if (options.json) return printJson(asData(answer));
    if (answer.hint !== undefined) print(paint("yellow", printable(answer.hint)));
    else if (answer.results.length === 0) print("Nothing found.");
    for (const [at, result] of answer.results.entries()) {
      const { file, section, lines, content, matched } = result;
      if (at > 0) print("");
      print(
        paint("bold", `${oneLine(file)}:${lines[0]}`) + (section === "" ? "" : paint("dim", `  ${oneLine(section)}`)),
      );
      print(printable(content.trimEnd()));
      if (matched.terms.length > 0) print(paint("dim", oneLine(`matched: ${matched.terms.join(", ")}`)));
    }
    for (const warning of answer.warnings) print(paint("yellow", `! ${printable(warning)}`));
  } finally {
    await standards.close();
  }
}

const slow = 1000;

/** Waits for the index, because a person wants the best answer; an assistant gets a scan meanwhile. */
async function waitForIndex(standards: StandardsSearch): Promise<void> {
  const note = setTimeout(() => {
    if (process.stderr.isTTY) process.stderr.write("waymark: building the search index…\n");
  }, slow);
  try {
    await standards.ready();
  } finally {
    clearTimeout(note);
  }
}

/** Reads one query per line and prints one JSON line of ranked results for each. */
async function searchMany(
  standards: StandardsSearch,
  file: string,
  given: Omit<SearchRequest, "query">,
): Promise<void> {
  const n_results = given.n_results ?? 10;
  const budget = given.budget ?? n_results * 400;
  const input = file === "-" ? stdin : createReadStream(file, "utf8");
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  try {
    for await (const query of lines) {
      print(jsonText({ query, ...asData(await runQuery(standards, { ...given, n_results, budget, query })) }));
    }
  } catch (error) {
    if (error instanceof Error && "code" in error)
      throw new UserError(`${file} cannot be read (${String(error.code)}).`);
    throw error;
  }
}

async function runQuery(standards: StandardsSearch, request: SearchRequest): Promise<SearchAnswer> {
  const found = await standards.search(request);
  if ("noSession" in found)
    throw new UserError(`There is no session ${found.noSession}. List them with waymark status.`);
  return found;
}

function asData({ results, totalTokens, warnings, hint }: SearchAnswer): object {
  return { results, total_tokens: totalTokens, warnings, ...defined({ hint }) };
}

function requestOf({ phase, terms, tags, limit, budget, session }: SearchCommandOptions): Omit<SearchRequest, "query"> {
  return {
    ...(phase === undefined ? {} : { filter_phase: parseWholeNumber("--phase", phase, 0) }),
    ...(terms === undefined ? {} : { terms: parseList("--terms", terms) }),
    ...(tags === undefined ? {} : { filter_tags: parseList("--tags", tags) }),
    ...(limit === undefined ? {} : { n_results: parseWholeNumber("--limit", limit, 1) }),
    ...(budget === undefined ? {} : { budget: parseWholeNumber("--budget", budget, 1) }),
    ...defined({ session_id: session }),
  };
}

function parseList(flag: string, text: string): readonly string[] {
  const values = text.split(",").map((one) => one.trim());
  if (values.includes("")) throw new UserError(`${flag} "${text}" has an empty entry. Give names with commas between.`);
  return values;
}

function parseWholeNumber(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new UserError(`${flag} ${text} is not a whole number of at least ${least}.`);
  return value;
}
