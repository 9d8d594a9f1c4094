import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it, test } from "vitest";
import { runCli } from "../command-line.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";
import { standardsFolder } from "./folder.ts";

const pages = {
  "ops/rollback.md": "# Rolling back\n\nUndo a release with the previous image. Keep the database schema compatible.\n",
  "ops/client-pool.md": "# The client-pool\n\nA connection is borrowed and returned.\n",
  "code/names.md":
    "# Names\n\nAn alias says what it stands for. Straße and naïve are spelled in full. Every index has a criterion.\n",
  "people/meetings.md": "# Meetings\n\nA meeting has an agenda and ends on time.\n",
};

const filesFound = async (query: string, more: object = {}) =>
  (await standardsFolder(pages).open().search(query, more)).results.map(({ file }) => file);

it.each([
  ["relaese", "ops/rollback.md"],
  ["agnda", "people/meetings.md"],
  ["databasse", "ops/rollback.md"],
  ["borroved", "ops/client-pool.md"],
  ["clientpool", "ops/client-pool.md"],
  ["strasse", "code/names.md"],
  ["NAIVE", "code/names.md"],
  ["connéction", "ops/client-pool.md"],
  ["aliases", "code/names.md"],
  ["indices", "code/names.md"],
  ["criteria", "code/names.md"],
])("a word is found in another spelling: %s", async (query, file) => {
  expect((await filesFound(query))[0]).toBe(file);
});

it("a word that a document has is never read as another", async () => {
  const found = await standardsFolder({ "a.md": "# A\n\nport\n", "b.md": "# B\n\nsport\n" }).open().search("port");
  expect(found.results.map(({ file }) => file)).toEqual(["a.md"]);
});

it("terms carry the ranking, and the question's own words count as well", async () => {
  const question = "how do we take it back when people meet a problem";
  expect((await filesFound(question))[0]).toBe("people/meetings.md");
  expect((await filesFound(question, { terms: ["rollback", "previous release"] }))[0]).toBe("ops/rollback.md");
  expect(await filesFound("agenda", { terms: ["zanzibar"] })).toEqual(["people/meetings.md"]);
});

it("a weak match says so, names the words that no document has, and offers those of the sections, in 60 tokens", async () => {
  const standards = standardsFolder(pages).open();
  const { hint, results } = await standards.search("how do lawyers sue a competitor on time about the relaese");
  expect(results.length).toBeGreaterThan(0);
  expect(hint).toMatch(/^A weak match\. Not in any document: lawyers, sue, competitor, relaese \(nearest: release\)\./);
  expect(hint).toMatch(/Nearest sections say: .*\. Search again with terms\.$/);
  const long = `${"supercalifragilistic".repeat(3)} `;
  const many = Array.from({ length: 60 }, (_, at) => `${long}${at}`).join(" ");
  for (const text of [hint ?? "", (await standards.search(many)).hint ?? ""])
    expect(countTokens(text)).toBeLessThanOrEqual(60);
  expect((await standards.search("zanzibar")).hint).toBe(
    "Nothing matches. Not in any document: zanzibar. Search again with terms.",
  );
  expect(await standards.search("undo a release")).not.toHaveProperty("hint", expect.anything());
});

it("identical documents count once", async () => {
  const page = "# Rolling back\n\nUndo a release.\n";
  const standards = standardsFolder({ ...pages, "a.md": page, "copy/b.md": page, "copy/c.md": page }).open();
  const { results } = await standards.search("undo", { limit: 10 });
  expect(results.map(({ file }) => file).sort()).toEqual(["a.md", "ops/rollback.md"]);
});

it("broken front matter is not searched as text, and a byte order mark hides no heading", async () => {
  const standards = standardsFolder({
    ...pages,
    "broken.md": "---\ntitle: a: zanzibar\n---\n# Quokka\n\nText.\n",
    "marked.md": "\uFEFF# Wombat\n\nText.\n",
  }).open();
  expect((await standards.search("zanzibar")).results).toEqual([]);
  const quokka = await standards.search("quokka");
  expect([quokka.results[0]?.file, quokka.warnings]).toEqual([
    "broken.md",
    ["broken.md: its front matter cannot be read."],
  ]);
  expect((await standards.search("wombat")).results[0]).toMatchObject({ file: "marked.md", section: "Wombat" });
});

test("the tool takes terms and passes a hint on; its definition grew by at most 30 tokens", async () => {
  const project = makeProject();
  for (const [file, text] of Object.entries(pages)) project.write(`.waymark/standards/${file}`, text);
  const { client } = await openWindow(project.root);
  const search = async (args: object) =>
    (await client.callTool({ name: "search_standards", arguments: { ...args } })).structuredContent;
  expect(await search({ query: "zanzibar" })).toMatchObject({ results: [], hint: expect.stringContaining("zanzibar") });
  const found = await search({ query: "how do we take it back", terms: ["rollback"] });
  expect(found).toMatchObject({ results: [{ file: "ops/rollback.md" }] });
  expect(found).not.toHaveProperty("hint");
  const { tools } = await client.listTools();
  const { name, description, inputSchema } = tools.find((tool) => tool.name === "search_standards") ?? {};
  expect(inputSchema?.properties).toHaveProperty("terms.description");
  const { terms: _, ...before } = inputSchema?.properties ?? {};
  const cost = (properties: object): number =>
    countTokens(JSON.stringify({ name, description, inputSchema: { ...inputSchema, properties } }));
  expect(cost(inputSchema?.properties ?? {}) - cost(before)).toBeLessThanOrEqual(30);
});

test("the command takes terms, and says what is wrong with an empty list", async () => {
  const project = makeProject();
  for (const [file, text] of Object.entries(pages)) project.write(`.waymark/standards/${file}`, text);
  const run = (...args: string[]) => runCli(["search", ...args, "--root", project.root]);
  expect((await run("how do we take it back", "--terms", "rollback,image")).stdout).toContain("ops/rollback.md");
  expect((await run("zanzibar")).stdout).toContain("Nothing matches.");
  const { code, stderr } = await run("undo", "--tags", "");
  expect([code, stderr]).toEqual([1, expect.stringContaining('--tags "" has an empty entry')]);
});
