import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "./set-up.mjs";

/** The levels of access, as a comment names them and as the page calls them. */
const levels = {
  tools: "With the tools of this server alone",
  "file tools": "With file tools that write into the project as well",
  shell: "With a shell that is kept inside the project",
  yourself: "With a shell as yourself",
  "pull request": "With what a pull request can contain",
  network: "From another page or program",
};

const page = join(home, "docs/security.md");
const [begin, end] = ["<!-- attacks: written by `npm run attacks` from the tests -->", "<!-- end of attacks -->"];

/** Every attack that a comment above a test names: its level, what is tried, what happens, and the tests that try it. */
export function readAttacks() {
  const attacks = new Map();
  for (const file of testFiles()) {
    const lines = readFileSync(join(home, file), "utf8").split("\n");
    for (const [at, line] of lines.entries()) {
      const [, level, tried] = /^\s*\/\/ Attack \(([^)]+)\): (.+)$/.exec(line) ?? [];
      if (level === undefined) continue;
      const [, result] = /^\s*\/\/ -> (.+)$/.exec(lines[at + 1] ?? "") ?? [];
      const below = lines.slice(at).find((one) => !/^\s*(?:\/\/|\/?\*)/.test(one)) ?? "";
      const one = attacks.get(tried) ?? { level, tried, result: undefined, tests: [], problems: [] };
      if (!(level in levels)) one.problems.push(`${file}:${at + 1}: unknown level ${level}`);
      if (!/^\s*(?:test|it|describe)\b/.test(below)) one.problems.push(`${file}:${at + 1}: no test follows`);
      if (one.level !== level) one.problems.push(`${file}:${at + 1}: the level is ${one.level} elsewhere`);
      if (result !== undefined && one.result !== undefined && result !== one.result)
        one.problems.push(`${file}:${at + 1}: the result is another one elsewhere`);
      one.result ??= result;
      if (!one.tests.includes(file)) one.tests.push(file);
      attacks.set(tried, one);
    }
  }
  return [...attacks.values()];
}

function testFiles() {
  const found = ["src", "test"].flatMap((folder) =>
    readdirSync(join(home, folder), { recursive: true, encoding: "utf8" })
      .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
      .filter((file) => file.endsWith(".test.ts") && !file.includes("/node_modules/")),
  );
  const isAttack = (file) => file.startsWith("test/attacks/");
  return found.sort((one, other) => Number(isAttack(other)) - Number(isAttack(one)) || (one < other ? -1 : 1));
}

/** The page with its tables as the tests say now. */
export function writtenPage() {
  const text = readFileSync(page, "utf8");
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before === -1 || after < before) throw new Error("docs/security.md has no place for its tables.");
  const attacks = readAttacks();
  const tables = Object.entries(levels).flatMap(([level, title]) => {
    const own = attacks.filter((one) => one.level === level);
    const rows = own.map(({ tried, result = "", tests }) => [
      tried,
      result,
      tests.map((file) => `\`${file}\``).join(", "),
    ]);
    return [`### ${title}`, "", ...tableOf([["attack", "what happens", "tried in"], ...rows]), ""];
  });
  return `${text.slice(0, before)}${begin}\n\n${tables.join("\n")}\n${text.slice(after)}`;
}

/** A table as the formatter aligns it. */
function tableOf([head, ...rows]) {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((cells) => cells[at].length)));
  const line = (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at])).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}

if (process.argv[1] === import.meta.filename) writeFileSync(page, writtenPage());
