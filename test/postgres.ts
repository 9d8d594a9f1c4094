import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startPostgres } from "../scripts/postgres-server.mjs";
import { type Database, openDatabase } from "../src/stores/postgres/database.ts";

let shared: Promise<string> | undefined;

/** The address of the PostgreSQL that all tests of one run share: whichever needs it first starts it, and it ends with the run. */
export function postgresUrl(): Promise<string> {
  shared ??= find();
  return shared;
}

let opened: Promise<Database> | undefined;

/** A database there, one for each process: tests are apart by their projects. */
export function postgresDatabase(): Promise<Database> {
  opened ??= postgresUrl().then((url) => openDatabase(url));
  return opened;
}

/** A project that no other test has. */
export function freshProject(): string {
  return `project-${randomUUID()}`;
}

/** Where the run keeps what its processes share. */
function place(): string {
  return join(process.env.XDG_STATE_HOME ?? "", "postgres");
}

async function find(): Promise<string> {
  const file = join(place(), "server.json");
  try {
    mkdirSync(place());
  } catch {
    while (!existsSync(file)) await wait(20); // another process starts it
    return JSON.parse(readFileSync(file, "utf8")).url;
  }
  const server = await startPostgres({ isLeft: true });
  await server.start();
  writeFileSync(`${file}.new`, JSON.stringify({ url: server.url, pid: server.pid, folder: server.folder }));
  renameSync(`${file}.new`, file);
  return server.url;
}
