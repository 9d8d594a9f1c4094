import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { cuttable } from "../../test/cuttable.ts";
import { freshProject, postgresDatabase, postgresUrl } from "../../test/postgres.ts";
import { sha256 } from "../kit/sha256.ts";
import {
  contentContract,
  eventLogContract,
  type FaultHooks,
  type OpenedContent,
  type OpenedPins,
  type OpenedViews,
  pinsContract,
  viewsContract,
} from "../testing/index.ts";
import { filePins } from "./file/file-pins.ts";
import { fileStore } from "./file/file-store.ts";
import { fileViews } from "./file/file-views.ts";
import { memoryPins, memoryStore } from "./memory/memory-store.ts";
import { type Database, openDatabase } from "./postgres/database.ts";
import { postgresPins } from "./postgres/postgres-pins.ts";
import { postgresStore } from "./postgres/postgres-store.ts";
import type { Store } from "./store.ts";

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "waymark-store-"));
}

type OpenedStore = FaultHooks & { window(): Store; dispose(): Promise<void> | void };

const stores: Record<string, () => OpenedStore | Promise<OpenedStore>> = {
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
  async postgresStore() {
    const way = await cuttable(await postgresUrl());
    const databases: Database[] = [];
    const [project, area] = [freshProject(), async () => ""];
    // Nobody waits long for what is cut; what is not may take its time on a slow machine.
    const options = { patience: 300_000, connections: 2 };
    return {
      window() {
        const database = openDatabase(way.url, options);
        databases.push(database);
        return postgresStore({ database, project, area });
      },
      crash: async () => void (await Promise.all(databases.splice(0).map((database) => database.close()))),
      breakWriting() {
        way.cut();
        options.patience = 300;
        return () => {
          way.mend();
          options.patience = 300_000;
        };
      },
      neverHolds: true,
      async dispose() {
        await Promise.all(databases.map((database) => database.close()));
        way.close();
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
  postgresStore: async () => {
    const database = await postgresDatabase();
    const { schema } = database;
    const place = [freshProject(), ""] as const;
    const { content } = postgresStore({ database, project: place[0], area: async () => place[1] });
    return {
      content,
      async file(path) {
        const find = `select body from ${schema}.files join ${schema}.texts using (project, hash) where project = $1 and area = $2 and path = $3`;
        const [row] = await database.run(find, [...place, path]);
        return row?.body?.toString();
      },
      async write(path, text) {
        const bytes = Buffer.from(text);
        const hash = sha256(text);
        await database.run(
          `insert into ${schema}.texts (project, hash, bytes, body) values ($1, $2, $3, $4) on conflict do nothing`,
          [place[0], hash, bytes.length, bytes],
        );
        await database.run(
          `insert into ${schema}.files (project, area, path, hash) values ($1, $2, $3, $4)
           on conflict (project, area, path) do update set hash = excluded.hash`,
          [...place, path, hash],
        );
      },
      dispose: () => undefined,
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
  postgresPins: async () => {
    const [database, project] = [await postgresDatabase(), freshProject()];
    return { pins: () => postgresPins(database, project), dispose: () => undefined };
  },
};

describe.each(Object.entries(stores))("%s keeps the contract of an event log", (_, open) => {
  const opened = async () => {
    const store = await open();
    return { ...store, log: () => store.window().log };
  };
  for (const { title, run } of eventLogContract()) it(title, () => run(opened));
});

describe("files that show a history kept elsewhere keep the contract of views", () => {
  const open = async (): Promise<OpenedViews> => {
    const area = temporaryFolder();
    const { log } = memoryStore();
    const opened: ReturnType<typeof fileViews>[] = [];
    const close = (): void => {
      for (const views of opened.splice(0)) views.close();
    };
    return {
      window() {
        const views = fileViews(area, log, () => new Date());
        opened.push(views);
        return { log, views };
      },
      crash: close,
      dispose() {
        close();
        rmSync(area, { recursive: true });
      },
    };
  };
  for (const { title, run } of viewsContract()) it(title, () => run(open));
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
