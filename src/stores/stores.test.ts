import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  contentContract,
  eventLogContract,
  type FaultHooks,
  type OpenedContent,
  type OpenedPins,
  pinsContract,
  viewsContract,
} from "../testing/index.ts";
import { filePins } from "./file/file-pins.ts";
import { fileStore } from "./file/file-store.ts";
import { memoryPins, memoryStore } from "./memory/memory-store.ts";
import type { Store } from "./store.ts";

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "waymark-store-"));
}

type OpenedStore = FaultHooks & { window(): Store; dispose(): void };

const stores: Record<string, () => OpenedStore> = {
  memoryStore() {
    const store = memoryStore();
    return { window: () => store, dispose: () => undefined };
  },
  fileStore() {
    const area = temporaryFolder();
    const journals = join(area, ".waymark/journal");
    const opened: Store[] = [];
    return {
      window() {
        const store = fileStore(area, { clock: () => new Date() });
        opened.push(store);
        return store;
      },
      crash() {
        for (const store of opened.splice(0)) store.close();
      },
      breakWriting() {
        renameSync(journals, `${journals}.aside`);
        writeFileSync(journals, "in the way");
        return () => {
          rmSync(journals);
          renameSync(`${journals}.aside`, journals);
        };
      },
      dispose() {
        for (const store of opened) store.close();
        rmSync(area, { recursive: true });
      },
    };
  },
};

const contents: Record<string, () => Promise<OpenedContent>> = {
  memoryStore: async () => {
    const files = new Map<string, string>();
    return {
      content: memoryStore(files).content,
      file: (path) => files.get(path),
      write: (path, text) => void files.set(path, text),
      dispose: () => undefined,
    };
  },
  fileStore: async () => {
    const area = temporaryFolder();
    return {
      content: fileStore(area, { clock: () => new Date() }).content,
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

const pins: Record<string, () => Promise<OpenedPins>> = {
  memoryPins: async () => {
    const kept = memoryPins();
    return { pins: () => kept, dispose: () => undefined };
  },
  filePins: async () => {
    const folder = temporaryFolder();
    return { pins: () => filePins([join(folder, "pinned")]), dispose: () => rmSync(folder, { recursive: true }) };
  },
};

describe.each(Object.entries(stores))("%s keeps the contract of an event log", (_, open) => {
  const opened = async () => {
    const store = open();
    return { ...store, log: () => store.window().log };
  };
  for (const { title, run } of eventLogContract()) it(title, () => run(opened));
});

describe.each(Object.entries(stores))("%s keeps the contract of views", (_, open) => {
  for (const { title, run } of viewsContract()) it(title, () => run(async () => open()));
});

describe.each(Object.entries(contents))("%s keeps the contract of content", (_, open) => {
  for (const { title, run } of contentContract()) it(title, () => run(open));
});

describe.each(Object.entries(pins))("%s keep the contract of pins", (_, open) => {
  for (const { title, run } of pinsContract()) it(title, () => run(open));
});

it("every store in this folder proves itself with the contract", async () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => /(?<!\.test|\.testing)\.ts$/.test(file));
  const exported = await Promise.all(sources.map((file) => import(join(import.meta.dirname, file))));
  const factories = exported
    .flatMap((module: object) => Object.keys(module))
    .filter((name) => /[a-z](Store|Pins)$/.test(name));
  expect(factories.toSorted()).toEqual([...Object.keys(stores), ...Object.keys(pins)].toSorted());
  expect(Object.keys(contents)).toEqual(Object.keys(stores));
});
