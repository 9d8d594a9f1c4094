import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { waymark } from "../window.ts";
import { plantCase } from "./broken-bot.ts";

const phase = (number: number, box: string): string =>
  `## Phase ${number}: Step\n\nDo it.\n\n### Validation Gate\n\n- [ ] ${box}\n`;
const survey = `# Survey\n\n${phase(1, "`people_asked`: number of people, at least 3")}\n${phase(2, "`report`: text, must contain `Findings`")}`;

function plant(text: string): { readonly root: string; readonly at: (path: string) => string } {
  const definitions = plantCase({ files: { "workflows/survey.md": text } });
  return { root: dirname(definitions), at: (path) => join(definitions, "workflows", path) };
}

function check(root: string, ...args: readonly string[]): { readonly status: number | null; readonly out: string } {
  const command = [waymark, "check", "--root", root, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
  return { status, out: stdout + stderr };
}

const first = "survey/phases/1/gate-definition.yaml";
const second = "survey/phases/2/gate-definition.yaml";

test("--write-gates writes a file for each gate, and reading them back asks for the same", () => {
  const { root, at } = plant(survey);
  const rules = (): unknown => {
    const { out } = check(root, "--explain", "survey", "--json");
    return JSON.parse(out, (key, value) => (["file", "line", "source", "sources"].includes(key) ? undefined : value));
  };
  const before = rules();
  const { status, out } = check(root, "--write-gates", "survey");
  expect(status).toBe(0);
  expect(out).toContain(first);
  expect(out).toContain(second);
  expect(readFileSync(at(first), "utf8")).toContain("people_asked");
  expect(rules()).toEqual(before);
  expect(check(root)).toMatchObject({ status: 0 });
});

test("--write-gates never writes over a gate file, and writes the one that is missing", () => {
  const { root, at } = plant(survey);
  check(root, "--write-gates", "survey");
  const mended = readFileSync(at(first), "utf8").replace("min: 3", "min: 5");
  writeFileSync(at(first), mended);
  const { status } = check(root, "--write-gates", "survey");
  expect(status).toBe(0);
  expect(readFileSync(at(first), "utf8")).toBe(mended);
});

test("--write-gates writes nothing while one gate is closed, and says which line closes it", () => {
  const { root, at } = plant(`${survey}\n${phase(3, "`memo`: text, not longer than one page")}`);
  const { status, out } = check(root, "--write-gates", "survey");
  expect(status).not.toBe(0);
  expect(out).toContain("not longer than one page");
  expect(existsSync(at("survey"))).toBe(false);
});

test("--write-gates of a workflow that is not there names those that are", () => {
  const { status, out } = check(plant(survey).root, "--write-gates", "surveys");
  expect(status).not.toBe(0);
  expect(out).toContain("survey");
});
