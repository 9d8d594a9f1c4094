import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import { overHttp } from "../doors.ts";
import { openWindow } from "../window.ts";

/** Two bots that share one project area. */
function twoBots(): string {
  const root = mkdtempSync(join(tmpdir(), "waymark-two-bots-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (file: string, content: unknown): void => {
    const path = join(root, ".waymark", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(content));
  };
  write("base_actions/gather/action_config.json", { name: "gather", order: 1, next_action: null });
  for (const bot of ["draw_bot", "story_bot"])
    write(`bots/${bot}/bot_config.json`, { name: bot, behaviors: [{ name: "shape" }] });
  return root;
}

const inFiles = test.skipIf(overHttp("state files in the work tree"));

const stateIn = (...path: readonly string[]): string => join(...path, "workflow_state.json");
const behaviorIn = (file: string): string => JSON.parse(readFileSync(file, "utf8")).current_behavior;

inFiles("two bots in one project area are both served, each with two JSON files of its own", async () => {
  const root = twoBots();
  const walk = async (bot: string): Promise<void> => {
    const window = await openWindow(root);
    await window.call(bot);
    const reply = await window.call("complete_action", { outputs: { by: bot }, confirmation: "yes" });
    expect(reply.status).toBe("workflow_complete");
    await window.close();
  };
  await walk("draw_bot");
  await walk("story_bot");
  const apart = join(root, ".waymark/state/story_bot");
  expect(behaviorIn(stateIn(root))).toBe("draw_bot.shape");
  expect(behaviorIn(stateIn(apart))).toBe("story_bot.shape");
  expect(existsSync(join(apart, "activity_log.json"))).toBe(true);
  expect(existsSync(join(root, ".waymark/state/draw_bot"))).toBe(false);
  const { stdout } = await runCli(["status", "--root", root]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "story_bot shares its project area: its two JSON files are in .waymark/state/story_bot/.",
  );
  expect((await runCli(["verify", "--root", root])).code).toBe(0);
  const { stdout: checked } = await runCli(["check", "--root", root]);
  expect(checked).toContain("shared-project-area");
});

inFiles(
  "the bot that has begun keeps its files in the project area, and what a person edits there is its state",
  async () => {
    const root = twoBots();
    const config = join(root, ".waymark/bots/draw_bot/bot_config.json");
    rmSync(config);
    const first = await openWindow(root);
    await first.call("story_bot");
    await first.close();
    writeFileSync(config, JSON.stringify({ name: "draw_bot", behaviors: [{ name: "shape" }] }));
    const second = await openWindow(root);
    await second.call("draw_bot");
    await second.close();
    expect(behaviorIn(stateIn(root))).toBe("story_bot.shape");
    expect(behaviorIn(stateIn(root, ".waymark/state/draw_bot"))).toBe("draw_bot.shape");
    rmSync(stateIn(root, ".waymark/state/draw_bot"));
    const third = await openWindow(root);
    expect((await third.call("draw_bot")).warnings.join()).toContain("deleted");
    expect((await third.call("story_bot")).status).toBe("interrupted");
    await third.close();
  },
);
