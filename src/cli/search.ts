import { createReadStream } from "node:fs";
import { stdin } from "node:process";
import { createInterface } from "node:readline";
import type { SearchAnswer, SearchRequest, StandardsSearch } from "../retrieval/ports.ts";
import { UserFault } from "./fault.ts";
import { jsonText, paint, print, printJson } from "./print.ts";
import { type PlaceOptions, workplaceFor } from "./workplace.ts";

export type SearchCommandOptions = PlaceOptions & {
  readonly phase?: string;
  readonly tags?: string;
  readonly limit?: string;
  readonly budget?: string;
  readonly session?: string;
  readonly queries?: string;
  readonly json?: true;
};

/** Searches the standards as the tools do: one query, or many from a file, one a line. */
export async function search(words: readonly string[], options: SearchCommandOptions): Promise<void> {
  const { standards, definitions } = workplaceFor(options);
  if (!(await standards.isThere()))
    throw new UserFault(`There are no standards in ${definitions}/standards: put Markdown there.`);
  const given = requestOf(options);
  if (options.queries === undefined && words.length === 0)
    throw new UserFault('Say what to search for: waymark search "how do we name tests".');
  try {
    await waitForIndex(standards);
    if (options.queries !== undefined) return await searchMany(standards, options.queries, given);
    const answer = await ask(standards, { ...given, query: words.join(" ") });
    if (options.json) return printJson(asData(answer));
    for (const warning of answer.warnings) print(paint("yellow", `! ${warning}`));
    if (answer.results.length === 0) print("Nothing found.");
    for (const [at, result] of answer.results.entries()) {
      const { file, section, lines, content, matched } = result;
      if (at > 0) print("");
      print(paint("bold", `${file}:${lines[0]}`) + (section === "" ? "" : paint("dim", `  ${section}`)));
      print(content.trimEnd());
      if (matched.terms.length > 0) print(paint("dim", `matched: ${matched.terms.join(", ")}`));
    }
  } finally {
    await standards.close();
  }
}

const slow = 1000;

/** A person waits for the best answer and sees why; an assistant is answered by a scan meanwhile. */
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

/** One query a line in, one JSON line of ranked results out; enough of them to judge a ranking by. */
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
      print(jsonText({ query, ...asData(await ask(standards, { ...given, n_results, budget, query })) }));
    }
  } catch (error) {
    if (error instanceof Error && "code" in error)
      throw new UserFault(`${file} cannot be read (${String(error.code)}).`);
    throw error;
  }
}

async function ask(standards: StandardsSearch, request: SearchRequest): Promise<SearchAnswer> {
  const found = await standards.search(request);
  if ("noSession" in found) throw new UserFault(`There is no session ${found.noSession}. waymark status lists them.`);
  return found;
}

function asData({ results, totalTokens, warnings }: SearchAnswer): object {
  return { results, total_tokens: totalTokens, warnings };
}

function requestOf({ phase, tags, limit, budget, session }: SearchCommandOptions): Omit<SearchRequest, "query"> {
  return {
    ...(phase === undefined ? {} : { filter_phase: whole("--phase", phase, 0) }),
    ...(tags === undefined ? {} : { filter_tags: tags.split(",") }),
    ...(limit === undefined ? {} : { n_results: whole("--limit", limit, 1) }),
    ...(budget === undefined ? {} : { budget: whole("--budget", budget, 1) }),
    ...(session === undefined ? {} : { session_id: session }),
  };
}

function whole(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new UserFault(`${flag} ${text} is not a whole number from ${least}.`);
  return value;
}
