import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { plantCase } from "./broken-bot.ts";

const page = `# Closing

## Phase 1: Cool down

### Checklist

- [ ] \`fridge_temp\`: number, at most 4
- [ ] Oven temperature is at most 50
- [ ] Floor is swept
- The head chef signs off

You must leave the light on.
`;

function plant() {
  const definitions = plantCase({ files: { "workflows/closing.md": page } });
  const file = join(definitions, "workflows/closing.md");
  const check = (...args: readonly string[]) => runCli(["check", "--root", dirname(definitions), ...args]);
  return { file, check };
}

test("a page is echoed line by line: what is enforced, asked and not read", async () => {
  const { file, check } = plant();
  const { code, stdout } = await check(file, "--json");
  expect(code).toBe(0);
  const { lines } = JSON.parse(stdout);
  expect(lines.map(({ line, kind }: { line: number; kind: string }) => [line, kind])).toEqual([
    [7, "enforced"],
    [8, "asked"],
    [9, "asked"],
    [10, "approval"],
    [12, "not read"],
  ]);
  expect(lines).toMatchObject([
    { rule: "number, at most 4" },
    { rewrite: "`oven_temperature`: at most 50" },
    { text: "Floor is swept" },
    {},
    {},
  ]);
  expect((await check(file)).stdout).toContain("1 enforced, 2 asked, 1 approval, 1 not read.");
});

test("what is wrong with the page is named below its lines, and fails the check", async () => {
  const gate = "```yaml gate\nevidence_schema:\n  n: { type: integer }\n```\n";
  const definitions = plantCase({
    files: { "workflows/a.md": `# A\n\n## Phase 1: B\n\n${gate}\n${gate}`, "workflows/b.md": "# B\n\nNo phase.\n" },
  });
  const check = (...args: readonly string[]) => runCli(["check", "--root", dirname(definitions), ...args]);
  const { code, stdout } = await check(join(definitions, "workflows/a.md"));
  expect(code).toBe(1);
  expect(stdout).toContain("the phase has a second gate block");
  expect(stdout).not.toContain("b.md");
  const other = await check(join(definitions, "workflows/b.md"), "--json");
  expect(other.code).toBe(0);
  expect(JSON.parse(other.stdout).findings.map(({ code }: { code: string }) => code)).toContain("one-phase");
});

test("beside an item that asks, the items that do not are echoed too; elsewhere a list asks for nothing", async () => {
  const list = "- Who leads\n- When it was noticed\n- Must provide `impact`: text\n";
  const definitions = plantCase({ files: { "workflows/a.md": `# A\n\n## Phase 1: B\n\n- Read\n\nThen:\n\n${list}` } });
  const file = join(definitions, "workflows/a.md");
  const { stdout } = await runCli(["check", "--root", dirname(definitions), file, "--json"]);
  expect(JSON.parse(stdout).lines.map(({ line, kind }: { line: number; kind: string }) => [line, kind])).toEqual([
    [9, "not read"],
    [10, "not read"],
    [11, "enforced"],
  ]);
});

test("a line beside a gate says so, and a workflow of gates is not counted as one that asks for nothing", async () => {
  const gate = "```yaml gate\nevidence_schema:\n  a: { type: string, required: true }\n```\n";
  const text = `# A\n\n## Phase 1: B\n\n- Must provide \`b\`: text\n\n${gate}`;
  const definitions = plantCase({ files: { "workflows/a.md": text } });
  const check = (...args: readonly string[]) => runCli(["check", "--root", dirname(definitions), ...args]);
  expect((await check(join(definitions, "workflows/a.md"))).stdout).toContain("the phase has a gate file or block");
  expect((await check()).stdout).toContain("a: gate files say what its phases ask.");
});

test("a line that asks in prose has a rewrite too, and is enforced once it is rewritten", async () => {
  const asks =
    "- Must provide the number of customers affected, at least 0\n- Must provide severity, one of: low, high\n";
  const definitions = plantCase({ files: { "workflows/a.md": `# A\n\n## Phase 1: B\n\n${asks}` } });
  const file = join(definitions, "workflows/a.md");
  const { stdout } = await runCli(["check", "--root", dirname(definitions), file, "--fix"]);
  expect(stdout).toContain("+ Must provide `number_of_customers_affected`: at least 0");
  expect(stdout).toContain("+ Must provide `severity`: one of: low, high");
  expect(stdout).toContain("2 enforced, 0 asked");
});

test("a line about a command or a way back says what a gate can do about it", async () => {
  const asks = "- [ ] Run `npm test` until it is all green\n- Must provide what was found; else go back to phase 1\n";
  const definitions = plantCase({ files: { "workflows/a.md": `# A\n\n## Phase 1: B\n\n${asks}` } });
  const file = join(definitions, "workflows/a.md");
  const { stdout } = await runCli(["check", "--root", dirname(definitions), file]);
  expect(stdout).toContain("run_npm_test_until_it_is: true");
  expect(stdout).toContain("Waymark can run npm test itself: see checks in docs/checks.md");
  expect(stdout).toContain("Waymark can lead back itself: see then in docs/routes.md");
});

test("--fix says so where no line can be rewritten", async () => {
  const definitions = plantCase({ files: { "workflows/a.md": "# A\n\n## Phase 1: B\n\n- [ ] It is good\n" } });
  const file = join(definitions, "workflows/a.md");
  const { stdout } = await runCli(["check", "--root", dirname(definitions), file, "--fix"]);
  expect(stdout).toContain("No line can be rewritten");
});

test("--fix shows the rewrites and writes them, and then they are enforced", async () => {
  const { file, check } = plant();
  const { stdout } = await check(file, "--fix");
  expect(stdout).toContain("- Oven temperature is at most 50\n+ `oven_temperature`: at most 50");
  expect(readFileSync(file, "utf8")).toBe(
    page.replace("Oven temperature is at most 50", "`oven_temperature`: at most 50"),
  );
  expect((await check(file)).stdout).toContain("2 enforced, 1 asked");
});

test("--strict fails while a line with a number is only asked, for one page and for all", async () => {
  const { file, check } = plant();
  expect((await check(file, "--strict")).code).toBe(1);
  const all = await check("--strict");
  expect(all.code).toBe(1);
  expect(all.stdout).toMatch(/:\d+ {2}strict {2}only asked: .*at most 50/);
  await check(file, "--fix");
  expect((await check(file, "--strict")).code).toBe(0);
  expect((await check("--strict")).code).toBe(0);
});

test("a page that does not exist is named", async () => {
  const { code, stderr } = await plant().check("nowhere.md");
  expect(code).not.toBe(0);
  expect(stderr).toContain("nowhere.md cannot be read");
});

test("a page is echoed in its own order, also where a table at its top asks for a later phase", async () => {
  const table = "| Phase | Field | Type |\n|---|---|---|\n| 2 | `late` | text |\n| 1 | `early` | text |\n";
  const text = `# P\n\n${table}\n## Phase 1: A\n\n- [ ] One\n\n## Phase 2: B\n\n- [ ] Two\n`;
  const definitions = plantCase({ files: { "workflows/closing.md": text } });
  const file = join(definitions, "workflows/closing.md");
  const { stdout } = await runCli(["check", "--root", dirname(definitions), file, "--json"]);
  const { lines }: { lines: { line: number; field?: string }[] } = JSON.parse(stdout);
  expect(lines.map(({ line, field }) => [line, field])).toEqual([
    [5, "late"],
    [6, "early"],
    [10, "one"],
    [14, "two"],
  ]);
});
