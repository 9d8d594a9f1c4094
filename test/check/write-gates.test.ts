import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { plantCase } from "./broken-bot.ts";

const phase = (number: number, box: string): string =>
  `## Phase ${number}: Step\n\nDo it.\n\n### Validation Gate\n\n- [ ] ${box}\n`;
const survey = `# Survey\n\n${phase(1, "`people_asked`: number of people, at least 3")}\n${phase(2, "`report`: text, must contain `Findings`")}`;

function plant(text: string): { readonly root: string; readonly at: (path: string) => string } {
  const definitions = plantCase({ files: { "workflows/survey.md": text } });
  return { root: dirname(definitions), at: (path) => join(definitions, "workflows", path) };
}

async function check(root: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await runCli(["check", "--root", root, ...args]);
  return { code, out: stdout + stderr };
}

const first = "survey/phases/1/gate-definition.yaml";
const second = "survey/phases/2/gate-definition.yaml";

test("--write-gates writes a file for each gate, and reading them back asks for the same", async () => {
  const { root, at } = plant(survey);
  const rules = async (): Promise<unknown> => {
    const { out } = await check(root, "--explain", "survey", "--json");
    return JSON.parse(out, (key, value) => (["file", "line", "source", "sources"].includes(key) ? undefined : value));
  };
  const before = await rules();
  const { code, out } = await check(root, "--write-gates", "survey");
  expect(code).toBe(0);
  expect(out).toContain(first);
  expect(out).toContain(second);
  expect(readFileSync(at(first), "utf8")).toContain("people_asked");
  expect(await rules()).toEqual(before);
  expect(await check(root)).toMatchObject({ code: 0 });
});

test("--write-gates never writes over a gate file, and writes the one that is missing", async () => {
  const { root, at } = plant(survey);
  await check(root, "--write-gates", "survey");
  const mended = readFileSync(at(first), "utf8").replace("min: 3", "min: 5");
  const whole = readFileSync(at(second), "utf8");
  writeFileSync(at(first), mended);
  rmSync(at(second));
  const { code, out } = await check(root, "--write-gates", "survey");
  expect(code).toBe(0);
  expect(out).toContain(second);
  expect(readFileSync(at(first), "utf8")).toBe(mended);
  expect(readFileSync(at(second), "utf8")).toBe(whole);
});

test("--write-gates writes nothing while one gate is closed, and says which line closes it", async () => {
  const { root, at } = plant(`${survey}\n## Phase 3: Step\n\n\`\`\`yaml gate\naproval: required\n\`\`\`\n`);
  const { code, out } = await check(root, "--write-gates", "survey");
  expect(code).not.toBe(0);
  expect(out).toContain('survey.md:22 the key "aproval" is unknown');
  expect(existsSync(at("survey"))).toBe(false);
});

test("--write-gates of a workflow that is not there names those that are", async () => {
  const { code, out } = await check(plant(survey).root, "--write-gates", "surveys");
  expect(code).not.toBe(0);
  expect(out).toContain("survey");
});
