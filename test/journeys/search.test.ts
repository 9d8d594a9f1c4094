import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { addWorkflow, callPhase, emptyProject, evidenceFor } from "../phased.ts";
import type { Project } from "../project.ts";
import { older, openWindow, type Window } from "../window.ts";

type Found = {
  isError: boolean;
  results: { content: string; file: string; section: string; score: number; tokens: number }[];
  total_tokens: number;
  warnings: string[];
  error?: string;
};

async function search({ client }: Window, query: string, more: Record<string, unknown> = {}): Promise<Found> {
  const { structuredContent, isError } = await client.callTool({
    name: "search_standards",
    arguments: { query, ...more },
  });
  return { ...(structuredContent as Found), isError: isError === true };
}

function library(): Project {
  const project = emptyProject();
  project.write(
    ".waymark/standards/testing/naming.md",
    "---\ntags: [testing]\nquestions:\n  - What makes a good test title?\n---\n# Naming tests\n\n## Titles\n\nThe title of a test is a rule of the domain.\n",
  );
  project.write(
    ".waymark/standards/http.md",
    "---\ntags: [http]\n---\n# Calling services\n\n## Retries\n\nRetry idempotent requests three times with `retryPolicy`.\n",
  );
  project.write(".waymark/standards/中文.md", "# 日志规范\n\n日志必须包含时间戳。\n");
  return project;
}

describe.each(older)("search_standards (%s protocol)", (era) => {
  test("a question in its own words finds the passage that answers it, with file, section and cost", async () => {
    const window = await openWindow(library().root, { era });
    const { results, total_tokens } = await search(window, "how should I name a test");
    expect(results[0]).toMatchObject({
      file: "testing/naming.md",
      content: expect.stringContaining("rule of the domain"),
      section: expect.stringContaining("Naming tests"),
      score: expect.any(Number),
      tokens: expect.any(Number),
    });
    expect(total_tokens).toBe(results.reduce((sum, { tokens }) => sum + tokens, 0));
    expect((await search(window, "retryPolicy")).results[0]?.file).toBe("http.md");
    expect((await search(window, "日志")).results[0]?.file).toBe("中文.md");
    expect(
      (await search(window, "test title", { filter_tags: ["http"] })).results.map(({ file }) => file),
    ).not.toContain("testing/naming.md");
    expect((await search(window, "requests title rule", { n_results: 1 })).results).toHaveLength(1);
  });
});

describe("the standards as they change", () => {
  test("a changed, a new and a deleted file count at the next query, without a restart", async () => {
    const project = library();
    const window = await openWindow(project.root);
    expect((await search(window, "flamingo")).results).toEqual([]);
    project.write(".waymark/standards/new.md", "# Birds\n\nThe flamingo stands on one leg.\n");
    expect((await search(window, "flamingo")).results[0]?.file).toBe("new.md");
    project.write(".waymark/standards/new.md", "# Birds\n\nThe heron stands on one leg.\n");
    expect((await search(window, "flamingo")).results).toEqual([]);
    expect((await search(window, "heron")).results[0]?.content).toContain("heron");
    project.remove(".waymark/standards/new.md");
    expect((await search(window, "heron")).results).toEqual([]);
  });

  test("a damaged index is built again; two windows share it", async () => {
    const project = library();
    const [one, two] = await Promise.all([openWindow(project.root), openWindow(project.root)]);
    await Promise.all([search(one, "test title"), search(two, "test title")]);
    await one.close();
    project.write(".waymark/index/standards.idx", "garbage");
    const window = await openWindow(project.root);
    expect((await search(window, "how should I name a test")).results[0]?.file).toBe("testing/naming.md");
  });
});

describe("what belongs to a phase", () => {
  test("is found by a session that may read the phase, and by nobody else", async () => {
    const project = library();
    addWorkflow(project, { phases: 3 });
    for (const phase of [1, 2, 3]) {
      project.write(
        `.waymark/standards/secret-${phase}.md`,
        `---\nworkflow: survey\nphase: ${phase}\n---\n# Walrus ${phase}\n\nThe walrus of phase ${phase}.\n`,
      );
    }
    const window = await openWindow(project.root);
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
    const files = async (more: Record<string, unknown> = {}): Promise<string[]> =>
      (await search(window, "walrus", { n_results: 10, ...more })).results.map(({ file }) => file).sort();
    expect(await files()).toEqual([]);
    expect(await files({ session_id })).toEqual(["secret-1.md"]);
    expect(await files({ session_id, filter_phase: 2 })).toEqual([]);
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
    expect(await files({ session_id })).toEqual(["secret-1.md", "secret-2.md"]);
    expect(await files({ session_id, filter_phase: 2 })).toEqual(["secret-2.md"]);
    expect(await search(window, "walrus", { session_id: "nobody" })).toMatchObject({
      isError: true,
      error: "session_not_found",
    });
    const other = await runCli(["search", "walrus", "--json", "--root", project.root]);
    expect(JSON.parse(other.stdout).results).toEqual([]);
    const mine = await runCli(["search", "walrus", "--session", session_id, "--json", "--root", project.root]);
    expect(JSON.parse(mine.stdout).results).toHaveLength(2);
  });
});

describe("waymark search", () => {
  test("prints passages for people, data with --json, and a line for each query of a file", async () => {
    const project = library();
    const text = await runCli(["search", "how should I name a test", "--root", project.root]);
    expect(text.stdout).toMatch(/^testing\/naming\.md:\d+/);
    writeFileSync(project.path("queries.txt"), "how should I name a test\n\nretry a request\n");
    const many = await runCli(["search", "--queries", project.path("queries.txt"), "--root", project.root]);
    const lines = many.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ query, results }) => [query, results[0]?.file])).toEqual([
      ["how should I name a test", "testing/naming.md"],
      ["", undefined],
      ["retry a request", "http.md"],
    ]);
    const waited = await runCli(["search", "how should I name a test", "--json", "--root", project.root]);
    expect(JSON.parse(waited.stdout)).toMatchObject({ results: [{ file: "testing/naming.md" }], warnings: [] });
    expect(waited.stderr).toBe("");
    expect((await runCli(["search", "--root", project.root])).code).toBe(1);
    expect((await runCli(["search", "x", "--limit", "0", "--root", project.root])).code).toBe(1);
    expect((await runCli(["search", "x", "--root", emptyProject().root])).stderr).toContain("There are no standards");
  });
});

test("bad input: answered or reported, never a crash", async () => {
  const project = library();
  mkdirSync(project.path(".waymark/standards/loop"));
  symlinkSync("..", project.path(".waymark/standards/loop/up"));
  symlinkSync("/etc/passwd", project.path(".waymark/standards/outside.md"));
  project.write(".waymark/standards/binary.md", "\u0000\u0001\u0002".repeat(1000));
  const window = await openWindow(project.root);
  for (const query of [
    "",
    " ",
    "x".repeat(100_000),
    "(.*)+$[",
    "'; DROP TABLE standards; --",
    "🦊🦊",
    "\u0000",
    "__proto__ constructor",
  ]) {
    const { results, warnings } = await search(window, query);
    expect([Array.isArray(results), Array.isArray(warnings)]).toEqual([true, true]);
    expect(JSON.stringify(results)).not.toContain("root:");
  }
  for (const wrong of [{ n_results: 0 }, { n_results: "3" }, { filter_tags: "a" }, { nonsense: 1 }])
    expect(await search(window, "x", wrong)).toMatchObject({ isError: true, error: "invalid_input" });
  expect((await search(window, "how should I name a test")).results[0]?.file).toBe("testing/naming.md");
});
