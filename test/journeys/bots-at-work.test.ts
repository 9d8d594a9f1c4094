import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openWorkplace } from "../../src/app/open-workplace.ts";
import { fileStore } from "../../src/stores/file/file-store.ts";
import { memoryStore } from "../../src/stores/memory/memory-store.ts";
import type { Store } from "../../src/stores/store.ts";

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

const kept = memoryStore();
const kinds: readonly { readonly kind: string; readonly store: (area: string) => Store }[] = [
  { kind: "in memory", store: () => kept },
  { kind: "in files", store: (area) => fileStore(area, { clock: () => new Date() }) },
];

test.each(kinds)("the bot that has begun goes on being served, its history kept $kind", async ({ store }) => {
  const root = twoBots();
  const served = async (): Promise<readonly string[]> => {
    const workplace = openWorkplace({ root, store });
    const { bots } = await workplace.bots();
    workplace.close();
    return bots.map(({ name }) => name);
  };
  expect(await served()).toEqual(["draw_bot"]);
  const config = join(root, ".waymark/bots/draw_bot/bot_config.json");
  rmSync(config);
  const workplace = openWorkplace({ root, store });
  const reply = await (await workplace.engine("story_bot")).open({ id: "window", client: "a test" }, {});
  expect(reply.outcome.kind).toBe("opened");
  workplace.close();
  writeFileSync(config, JSON.stringify({ name: "draw_bot", behaviors: [{ name: "shape" }] }));
  expect(await served()).toEqual(["story_bot"]);
});
