import { join } from "node:path";
import { filesIn } from "./files-in.ts";
import type { KitFile, Template } from "./template.ts";
import { reportsFolder, type TestCommand } from "./tests/test-command.ts";

/** The templates whose gates can run the tests. */
export const provingTemplates: readonly Template[] = ["test-generation", "story-bot"];

/** The files of a template in which Waymark runs the tests, in place of those that accept claims. */
export function provingFiles(template: Template, tests: TestCommand, home: string): readonly KitFile[] {
  if (!provingTemplates.includes(template)) return [];
  const files = filesIn(join(home, "templates", "proving", template)).map(({ path, text }) => ({
    path,
    text: text.replace(/^# the tests\n/m, () => checkText(tests, gives[template] ?? {})),
  }));
  // The folder must exist before a command writes to it, in clones too.
  return [...files, { path: `${reportsFolder.replace(".waymark/", "")}/.gitignore`, text: "*\n!.gitignore\n" }];
}

/** The fact that provides each evidence field. */
const gives: Readonly<Partial<Record<Template, Readonly<Record<string, string>>>>> = {
  "test-generation": { suite_tests: "tests", suite_passed: "passed", suite_coverage: "lines_percent" },
  "story-bot": { tests_found: "tests", tests_failing: "failed" },
};

/** Formats a check for a gate file. */
function checkText({ run, reports, pins, reads }: TestCommand, given: Readonly<Record<string, string>>): string {
  const isTold = (fact: string): boolean =>
    reports.some(({ format }) => (format === "lcov" || format === "cobertura") === (fact === "lines_percent"));
  const found = Object.entries(given).flatMap(([field, fact]) => (isTold(fact) ? [`${field}: ${fact}`] : []));
  const lines = [
    "  - name: tests",
    `    run: ${list(run)}`,
    "    timeout: 10m",
    ...(reports.length === 0 ? [] : ["    report:"]),
    ...reports.map(({ format, path }) => `      - { format: ${format}, path: ${path} }`),
    ...(found.length === 0 ? [] : [`    gives: { ${found.join(", ")} }`]),
    ...(reads === undefined ? [] : [`    reads: ${list(reads)}`]),
    ...(pins.length === 0 ? [] : [`    pins: ${list(pins)}`]),
  ];
  return `${lines.join("\n")}\n`;
}

function list(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(", ")}]`;
}
