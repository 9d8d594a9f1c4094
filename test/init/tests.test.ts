import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readPhased } from "../../src/definitions/phases/read-phased.ts";
import { filesOf } from "../../src/definitions/snapshot/files-of.testing.ts";
import { findTests } from "../../src/hosts/init/tests/find-tests.ts";
import { runCli } from "../command-line.ts";

const gateOf = { "test-generation": ".waymark/workflows/test-generation/phases/7/gate-definition.yaml" };

function project(files: Readonly<Record<string, string | object>>): string {
  const root = mkdtempSync(join(tmpdir(), "waymark-tests-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), typeof text === "string" ? text : JSON.stringify(text));
  }
  return root;
}

const packaged = (script: string, ...packages: string[]): Readonly<Record<string, object>> => ({
  "package.json": {
    scripts: { test: script },
    devDependencies: Object.fromEntries(packages.map((name) => [name, "1"])),
  },
});

describe("how the tests are run is seen from the files of a project", () => {
  test.each([
    ["vitest in the script", packaged("vitest", "vitest"), "npm test -- --run", "junit"],
    [
      "vitest with coverage",
      packaged("tsc && vitest run", "vitest", "@vitest/coverage-v8"),
      "npm test --",
      "junit lcov",
    ],
    ["vitest behind another command", packaged("turbo test", "vitest"), "npx --no-install vitest", "junit"],
    ["vitest with pnpm", { ...packaged("vitest", "vitest"), "pnpm-lock.yaml": "" }, "pnpm exec vitest", "junit"],
    ["jest", packaged("NODE_ENV=test jest", "jest"), "npm test -- --ci --json", "vitest lcov"],
    ["node itself", packaged("node --test test/"), "node --test --test-reporter=spec", "junit lcov"],
    ["pytest", { "requirements-dev.txt": "pytest==9", "setup.py": "" }, "python3 -m pytest", "junit"],
    ["pytest with coverage", { "pyproject.toml": 'dev = ["pytest", "pytest-cov"]' }, "python3 -m", "junit cobertura"],
    ["pytest by uv", { "pytest.ini": "", "uv.lock": "" }, "uv run python -m pytest", "junit"],
    ["Go", { "go.mod": "module a" }, "go test ./...", ""],
    ["Rust", { "Cargo.toml": "[package]" }, "cargo test", ""],
    [
      "Rust with nextest",
      { "Cargo.toml": "", ".config/nextest.toml": '[profile.ci.junit]\npath = "junit.xml"\n' },
      "cargo nextest run --profile ci",
      "junit",
    ],
  ])("%s", (_, files, run, formats) => {
    const [found] = findTests(project(files), "");
    expect(found?.run.join(" ")).toContain(run);
    expect(found?.reports.map(({ format }) => format).join(" ")).toBe(formats);
    expect(found?.lacks === undefined).toBe(/lcov|cobertura|nextest/.test(`${formats} ${run}`));
  });

  test.each([
    ["nothing", {}],
    ["a package without a runner", packaged('echo "Error: no test specified" && exit 1')],
    ["a package that cannot be read", { "package.json": "{" }],
    ["Python without pytest", { "pyproject.toml": "[project]" }],
  ])("%s tells nothing", (_, files) => {
    expect(findTests(project(files), "")).toEqual([]);
  });
});

describe("init", () => {
  const run = (root: string, ...args: string[]) => runCli(["init", ...args], root, { HOME: root });

  test("writes the check, shows what would run, and says that a person must trust it", async () => {
    const root = project(packaged("vitest", "vitest"));
    const { stdout } = await run(root, "--template", "test-generation");
    expect(stdout).toContain("once you trust the command: waymark trust");
    expect(stdout).toContain("npm test -- --run");
    expect(stdout).toContain("add @vitest/coverage-v8");
    const gate = readFileSync(join(root, gateOf["test-generation"]), "utf8");
    expect(gate).toContain('run: ["npm", "test", "--", "--run"');
    expect(gate).toContain("gives: { suite_tests: tests, suite_passed: passed }");
    expect(existsSync(join(root, ".waymark/reports/.gitignore"))).toBe(true);
    const definitions = join(root, ".waymark");
    expect(readPhased(filesOf(definitions), "test-generation").draft?.complaints).toEqual([]);
    expect(await runCli(["check", "--json"], root)).toMatchObject({ code: 0 });
    const listed = JSON.parse((await runCli(["trust", "--list", "--json"], root)).stdout);
    expect(listed.commands).toMatchObject([{ name: "tests", trusted: false }]);
    expect((await run(root, "--remove")).code).toBe(0);
    expect(existsSync(definitions)).toBe(false);
  });

  test("works without a command, says how to add one, and takes it later", async () => {
    const root = project({});
    const { stdout } = await run(root, "--template", "test-generation");
    expect(stdout).toContain("waymark init --template test-generation --tests npm");
    const gate = (): string => readFileSync(join(root, gateOf["test-generation"]), "utf8");
    expect(gate()).not.toMatch(/^checks:/m);
    writeFileSync(join(root, "pytest.ini"), "");
    expect((await run(root, "--template", "test-generation", "--tests", "pytest")).stdout).toContain("waymark trust");
    expect(gate()).toContain("pytest");
    const own = gate().replace("10m", "20m");
    writeFileSync(join(root, gateOf["test-generation"]), own);
    await run(root, "--template", "test-generation", "--tests", "pytest");
    expect(gate()).toBe(own);
  });

  test("runs nothing where nobody wants it, and refuses a tool that does not fit", async () => {
    const root = project(packaged("vitest", "vitest"));
    expect((await run(root, "--tests", "mocha")).stderr).toContain("npm, pnpm, pytest, go, cargo, none");
    expect((await run(root, "--tests", "pytest")).stderr).toContain("pytest is not set up here");
    await run(root, "--tests", "none");
    expect(JSON.parse((await runCli(["trust", "--list", "--json"], root)).stdout).commands).toEqual([]);
    const told = await run(root, "--template", "story-bot", "--json");
    expect(JSON.parse(told.stdout).tests).toMatchObject({ tool: "npm" });
    expect(await runCli(["check", "--json"], root)).toMatchObject({ code: 0 });
    const [command] = JSON.parse((await runCli(["trust", "--list", "--json"], root)).stdout).commands;
    expect(command).toMatchObject({ name: "tests", run: expect.arrayContaining(["npm", "test"]) });
  });
});
