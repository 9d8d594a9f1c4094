import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "./wire.mjs";

const files = process.argv.includes("--small") ? 500 : 5_000;
const secondsBudget = 10;
const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const root = mkdtempSync(join(tmpdir(), "waymark-bench-"));
const definitions = join(root, ".waymark");

/** A bot, and workflows of six phases, each with its text, a task and a gate file, until there are so many files. */
cpSync(file("../templates/story-bot"), definitions, { recursive: true });
for (let count = 0; count < files; count += 19) plant(join(definitions, "workflows", `flow-${count}`));

function plant(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "metadata.json"), JSON.stringify({ description: "Looks at a file", total_phases: 6 }));
  for (let number = 1; number <= 6; number++) {
    const phase = join(folder, "phases", String(number));
    mkdirSync(phase, { recursive: true });
    writeFileSync(
      join(phase, "phase.md"),
      `# Phase ${number}: part ${number}\n\n1. Look at it.\n2. Say what you found.\n`,
    );
    writeFileSync(join(phase, "task-1-look.md"), "# Task 1: look\n\nLook closely.\n");
    const field = `  count_${number}:\n    type: integer\n    required: true\n    validator: greater_than_0\n`;
    writeFileSync(join(phase, "gate-definition.yaml"), `evidence_schema:\n${field}`);
  }
}

/** The least it costs to read and parse the files. */
const floorScript = `
  const { readdirSync, readFileSync } = require("node:fs");
  const { join } = require("node:path");
  (async () => {
    const { parse } = await import(${JSON.stringify(import.meta.resolve("yaml"))});
    const { fromMarkdown } = await import(${JSON.stringify(import.meta.resolve("mdast-util-from-markdown"))});
    for (const entry of readdirSync(${JSON.stringify(definitions)}, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const text = readFileSync(join(entry.parentPath ?? entry.path, entry.name), "utf8");
      if (entry.name.endsWith(".json")) JSON.parse(text);
      else if (entry.name.endsWith(".yaml")) parse(text);
      else fromMarkdown(text);
    }
  })();`;

/** Seconds of a processor that a process of its own takes: the machine may be busy with something else. */
function measured(args) {
  const [used, preload] = [join(root, "used"), join(root, "preload.cjs")];
  const total =
    "const { userCPUTime, systemCPUTime } = process.resourceUsage(); const total = userCPUTime + systemCPUTime;";
  writeFileSync(
    preload,
    `process.on("exit", () => { ${total} require("node:fs").writeFileSync(${JSON.stringify(used)}, String(total / 1e6)); })`,
  );
  execFileSync(process.execPath, ["--require", preload, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  return Number(readFileSync(used, "utf8"));
}

const taken = { floor: [], check: [] };
for (let round = 0; round < 3; round++) {
  taken.floor.push(measured(["--eval", floorScript]));
  taken.check.push(measured([file("../dist/waymark.js"), "check", "--root", root]));
}
const [floor, seconds] = [median(taken.floor), median(taken.check)];
const verdict = seconds <= secondsBudget ? "within" : "OVER";
const count = readdirSync(definitions, { recursive: true, withFileTypes: true }).filter((entry) =>
  entry.isFile(),
).length;
console.log(
  `check of ${count.toLocaleString("en")} files: ${seconds.toFixed(1)} s (budget ${secondsBudget} s, ${verdict}), ${(seconds / floor).toFixed(1)} × the ${floor.toFixed(1)} s that it takes to read and parse them`,
);
if (verdict === "OVER" && process.argv.includes("--strict")) process.exitCode = 1;
rmSync(root, { recursive: true });
