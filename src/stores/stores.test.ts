import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { History } from "../engine/ports.ts";
import { contentKeeperContract, historyContract, type OpenedArea, type OpenedDesk } from "../testing/index.ts";
import { fileContentKeeper } from "./file/content-keeper.ts";
import { fileHistory } from "./file/file-history.ts";
import { memoryHistories } from "./memory.ts";
import { memoryContentKeeper } from "./memory-content.ts";

const bot = "story_bot";

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "waymark-store-"));
}

const histories: Record<string, () => Promise<OpenedDesk>> = {
  memoryHistories: async () => ({ bot, history: memoryHistories(bot), dispose: () => undefined }),
  fileHistory: async () => {
    const projectArea = temporaryFolder();
    const opened: { close(): void }[] = [];
    const open = (strict: boolean): History => {
      const history = fileHistory({ projectArea, bot, clock: () => new Date(), strict: () => strict });
      opened.push(history);
      return history;
    };
    return {
      bot,
      history: () => open(false),
      strictHistory: () => open(true),
      crash() {
        for (const history of opened.splice(0)) history.close();
      },
      breakWriting() {
        const journals = join(projectArea, ".waymark/journal");
        renameSync(journals, `${journals}.aside`);
        writeFileSync(journals, "in the way");
        return () => {
          rmSync(journals);
          renameSync(`${journals}.aside`, journals);
        };
      },
      dispose() {
        for (const history of opened) history.close();
        rmSync(projectArea, { recursive: true });
      },
    };
  },
};

const keepers: Record<string, () => Promise<OpenedArea>> = {
  memoryContentKeeper: async () => {
    const files = new Map<string, string>();
    return {
      keeper: memoryContentKeeper(files),
      file: (path) => files.get(path),
      write: (path, text) => void files.set(path, text),
      dispose: () => undefined,
    };
  },
  fileContentKeeper: async () => {
    const area = temporaryFolder();
    return {
      keeper: fileContentKeeper(area),
      file(path) {
        try {
          return readFileSync(join(area, path), "utf8");
        } catch {
          return undefined;
        }
      },
      write(path, text) {
        mkdirSync(dirname(join(area, path)), { recursive: true });
        writeFileSync(join(area, path), text);
      },
      dispose: () => rmSync(area, { recursive: true }),
    };
  },
};

describe.each(Object.entries(histories))("%s keeps the contract of a history", (_, open) => {
  for (const { title, run } of historyContract()) it(title, () => run(open));
});

describe.each(Object.entries(keepers))("%s keeps the contract of a keeper of content", (_, open) => {
  for (const { title, run } of contentKeeperContract()) it(title, () => run(open));
});

it("every store in this folder proves itself with the contract", async () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const exported = await Promise.all(sources.map((file) => import(join(import.meta.dirname, file))));
  const factories = exported
    .flatMap((module: object) => Object.keys(module))
    .filter((name) => /(Histories|History|ContentKeeper)$/.test(name));
  const proved = [...Object.keys(histories), ...Object.keys(keepers)];
  expect(factories.toSorted()).toEqual(proved.toSorted());
});
