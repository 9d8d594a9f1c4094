import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";
import { startsOf, walkSubAgent } from "./sub-agents.ts";

const cases = [claude, codex, gemini, qwen, copilot, opencode].flatMap((host) =>
  Object.entries(startsOf(host)).map(([what, turns]) => [`${what} in ${host.title}`, host, turns] as const),
);

const docs = readFileSync(join(import.meta.dirname, "../../../docs/hosts.md"), "utf8");
const rows = docs.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
const yes = (held: boolean): string => (held ? "yes" : "no");

it.each(cases)("docs/hosts.md has a row: %s", (name) => {
  expect(rows.filter(([, first]) => first === name)).toHaveLength(1);
});

describe.skipIf(process.env.WAYMARK_HOSTS !== "all").each(cases)("%s", (name, host, turns) => {
  it("is held as docs/hosts.md says", async () => {
    const { order, editsBefore, editsAfter, card, reminder } = await walkSubAgent(host, turns);
    const told = [order, editsBefore, editsAfter, card, reminder].map(yes);
    expect(rows.find(([, first]) => first === name)?.slice(2, 7)).toEqual(told);
  });
});
