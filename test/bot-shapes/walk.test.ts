import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { findingsIn, plantAlone } from "../check/broken-bot.ts";
import type { Files } from "../check/sound-bot.ts";
import { openWindow } from "../window.ts";
import { numbered } from "./numbered.ts";
import { plain } from "./plain.ts";

type Shape = {
  readonly title: string;
  readonly files: Files;
  readonly tool: string;
  /** What the patterns come to. */
  readonly triggers: readonly string[];
  /** The actions in order, with the marks of the texts that belong there besides [A…]. */
  readonly actions: readonly (readonly [string, string])[];
};

const shapes: readonly Shape[] = [
  {
    title: "folders with numbers, actions without a config",
    files: numbered,
    tool: "shape_bot",
    triggers: ["tale map", "outline it, rough cut"],
    actions: [
      ["gather_context", "G"],
      ["decide_planning_criteria", "D"],
      ["build_knowledge", "BC"],
      ["validate_rules", "V"],
      ["render_output", "RC"],
    ],
  },
  {
    title: "folders without numbers, named otherwise than in their configs",
    files: plain,
    tool: "outline_bot",
    triggers: ["outline it, first draft"],
    actions: [
      ["gather_context", "G"],
      ["decide_strategy", "D"],
      ["build_knowledge", "B"],
      ["validate_rules", "V"],
      ["render_output", "R"],
    ],
  },
];

/** Everything in the planted files that stands in square brackets as a mark, by its letters. */
function marksOf(files: Files, letters: string): string[] {
  const all = Object.values(files).flatMap((content) => JSON.stringify(content).match(/\[[A-Z]\d+\]/g) ?? []);
  return [...new Set(all)].filter((mark) => letters.includes(mark.charAt(1)));
}

const rootOf = (files: Files): string => dirname(plantAlone(files));

describe.each(shapes)("$title", ({ files, tool, triggers, actions }) => {
  test("the behavior is walked to its end, and every text is shown where its action uses it", async () => {
    const window = await openWindow(rootOf(files));
    for (const [action, letters] of actions) {
      const opened = await window.call(tool);
      expect(opened).toMatchObject({ status: "started", action, warnings: [] });
      const shown = opened.instructions ?? "";
      // What holds for all actions of the behavior is said with the first of them.
      const wanted = [...marksOf(files, letters), ...(action === actions[0]?.[0] ? marksOf(files, "A") : [])];
      expect(wanted.filter((mark) => !shown.includes(mark))).toEqual([]);
      const others = marksOf(files, "GDBRVCI".replaceAll(new RegExp(`[${letters}]`, "g"), ""));
      expect(others.filter((mark) => shown.includes(mark))).toEqual([]);
      expect(shown).not.toMatch(/\{\{(?!rows)|\{(?:bot|behavior|workspace|project_area)\}/);
      const done = await window.call("complete_action", { outputs: { done: "as asked" }, confirmation: "yes, go on" });
      expect(["completed", "workflow_complete"]).toContain(done.status);
    }
    expect((await window.call(tool)).status).toBe("workflow_complete");
  });

  test("the trigger words reach the tools' descriptions", async () => {
    const { tools } = await (await openWindow(rootOf(files))).client.listTools();
    const told = tools.map(({ description = "" }) => description).join("\n");
    expect([...marksOf(files, "T"), ...triggers].filter((words) => !told.includes(words))).toEqual([]);
  });

  test("check finds no error, and says what reaches nobody", async () => {
    const findings = await findingsIn(plantAlone(files));
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    const told = findings.map(({ file, line }) => join(file, String(line))).join("\n");
    const silent = Object.entries(files).filter(([path, content]) => {
      const isMarked = (JSON.stringify(content).match(/\[N\d+\]/g) ?? []).length > 0;
      return isMarked && !told.includes(path) && !told.includes(dirname(path));
    });
    expect(silent).toEqual([]);
  });
});

test("what a behavior lists without an order can be asked for any time, with what the behavior says of it", async () => {
  const window = await openWindow(rootOf(plain));
  const rules = await window.call("outline_bot", { action: "rules" });
  expect(rules).toMatchObject({ action: "rules" });
  expect(
    [...marksOf(plain, "V").slice(2), "[I2]"].filter((mark) => !(rules.instructions ?? "").includes(mark)),
  ).toEqual([]);
  expect((await window.call("outline_bot", { action: "help" })).instructions).toContain("[I1]");
});

test("behaviors that the bot does not list come by their own order", async () => {
  const { tools } = await (await openWindow(rootOf(plain))).client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names.indexOf("outline_bot")).toBeLessThan(names.indexOf("detail_bot"));
});
