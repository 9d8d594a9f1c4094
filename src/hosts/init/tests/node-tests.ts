import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { reportsFolder, type TestCommand } from "./test-command.ts";

/** The command for a package's tests with vitest, jest or node; undefined without any of them. */
export function nodeTests(root: string, tool: "npm" | "pnpm"): TestCommand | undefined {
  const { script, packages } = packageIn(root);
  const runner = ["vitest", "jest"].find((name) => packages.has(name) || new RegExp(`\\b${name}\\b`).test(script));
  const pins = script === "" ? [] : ["package.json#/scripts/test"];
  const own = (configs: readonly string[]): readonly string[] => configs.filter((file) => existsSync(join(root, file)));
  if (runner === "vitest") {
    const isCovered = [...packages].some((name) => /^@vitest\/coverage-/.test(name));
    return {
      tool,
      run: [...startOf(tool, "vitest", script), ...vitestFlags, ...(isCovered ? vitestCoverage : [])],
      reports: [{ format: "junit", path: junit }, ...(isCovered ? [{ format: "lcov", path: lcov } as const] : [])],
      pins: [...pins, ...own(endings.map((end) => `vitest.config.${end}`))],
      ...(isCovered ? {} : { lacks: "for coverage, add @vitest/coverage-v8 to the project" }),
    };
  }
  if (runner === "jest")
    return {
      tool,
      run: [...startOf(tool, "jest", script), ...jestFlags],
      reports: [
        { format: "vitest", path: `${reportsFolder}/tests.json` },
        { format: "lcov", path: lcov },
      ],
      pins: [...pins, ...own([...endings, "json"].map((end) => `jest.config.${end}`))],
    };
  const [, files] = /^node (?:--test) ?([\w./ -]*)$/.exec(script) ?? [];
  if (files === undefined && !/\bnode\b.*--test\b/.test(script)) return undefined;
  return {
    tool,
    run: ["node", "--test", ...nodeFlags, ...(files ?? "").split(" ").filter((word) => word !== "")],
    reports: [
      { format: "junit", path: junit },
      { format: "lcov", path: lcov },
    ],
    pins,
  };
}

const junit = `${reportsFolder}/junit.xml`;
const lcov = `${reportsFolder}/lcov.info`;
const endings = ["ts", "mts", "js", "mjs", "cjs"];

const vitestFlags = ["--run", "--reporter=default", "--reporter=junit", `--outputFile.junit=${junit}`];
const vitestCoverage = [
  "--coverage.enabled",
  "--coverage.reporter=lcovonly",
  `--coverage.reportsDirectory=${reportsFolder}`,
  "--coverage.clean=false",
];
const jestFlags = [
  "--ci",
  "--json",
  `--outputFile=${reportsFolder}/tests.json`,
  "--coverage",
  "--coverageReporters=lcovonly",
  `--coverageDirectory=${reportsFolder}`,
];
const nodeFlags = [
  ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
  ...["--test-reporter=junit", `--test-reporter-destination=${junit}`],
  ...["--experimental-test-coverage", "--test-reporter=lcov", `--test-reporter-destination=${lcov}`],
];

/** Uses the project's own script if it ends with the runner, so that earlier steps run too; otherwise the runner. */
function startOf(tool: "npm" | "pnpm", runner: string, script: string): readonly string[] {
  const last = script.split(/&&|;/).at(-1)?.trim() ?? "";
  const isRunner = new RegExp(`^(?:(?:cross-env|\\w+=\\S+)\\s+)*${runner}(?:\\s|$)[^|>]*$`).test(last);
  if (tool === "npm" && isRunner) return ["npm", "test", "--"];
  return tool === "npm" ? ["npx", "--no-install", runner] : ["pnpm", "exec", runner];
}

function packageIn(root: string): { readonly script: string; readonly packages: ReadonlySet<string> } {
  const nothing = { script: "", packages: new Set<string>() };
  try {
    const value: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const part = (of: unknown, key: string): unknown =>
      typeof of === "object" && of !== null ? Reflect.get(of, key) : undefined;
    const named = ["dependencies", "devDependencies"].flatMap((key) => Object.keys(part(value, key) ?? {}));
    const script = part(part(value, "scripts"), "test");
    return { script: typeof script === "string" ? script.trim() : "", packages: new Set(named) };
  } catch {
    return nothing;
  }
}
