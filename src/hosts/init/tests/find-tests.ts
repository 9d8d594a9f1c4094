import { existsSync } from "node:fs";
import { join } from "node:path";
import { cargoTests, goTests, pytestTests } from "./compiled-tests.ts";
import { nodeTests } from "./node-tests.ts";
import type { TestCommand, TestTool } from "./test-command.ts";

/** The ways to run a project's tests, by the files in it, likeliest first. */
export function findTests(root: string, path: string): readonly TestCommand[] {
  const has = (file: string): boolean => existsSync(join(root, file));
  const tools: readonly (TestTool | false)[] = [
    has("package.json") && (has("pnpm-lock.yaml") ? "pnpm" : "npm"),
    pythonFiles.some(has) && "pytest",
    has("go.mod") && "go",
    has("Cargo.toml") && "cargo",
  ];
  return tools.flatMap((tool) => {
    const found = tool === false ? undefined : testsBy(tool, root, path);
    return found === undefined ? [] : [found];
  });
}

/** The command with which a tool runs a project's tests; undefined if the project has none for it. */
export function testsBy(tool: TestTool, root: string, path: string): TestCommand | undefined {
  switch (tool) {
    case "npm":
    case "pnpm":
      return nodeTests(root, tool);
    case "pytest":
      return pytestTests(root);
    case "go":
      return goTests(path);
    case "cargo":
      return cargoTests(root);
  }
}

const pythonFiles = [
  "pytest.ini",
  "pyproject.toml",
  "setup.cfg",
  "setup.py",
  "tox.ini",
  "conftest.py",
  "requirements.txt",
];
