import { randomUUID } from "node:crypto";
import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { ClaimedNotice, NoticeQueue, PendingNotice } from "../../engine/ports/notice-queue.ts";
import { ioErrorCode, unlessIoError } from "../../kit/io-errors.ts";
import { isObject, parsedObject } from "../../kit/json.ts";
import { sha256 } from "../../kit/sha256.ts";
import { removeFile, replaceFile } from "./atomic-file.ts";
import { readPlain } from "./plain-file.ts";
import { inFolder, makeFolder } from "./safe-folder.ts";
import { engineFolder } from "./stream-paths.ts";

type Entry = { readonly key: string; readonly pending: PendingNotice; readonly made: number };

/**
 * The notices to be sent, one file for each in the engine's folder: `NAME.DUE` waits, `NAME.UNTIL.taken` is claimed until then. A rename
 * decides who has an entry.
 */
export function fileNotices(area: string): NoticeQueue {
  const folder = join(engineFolder(area), "notices");
  const tmp = join(engineFolder(area), "tmp");
  const nameOf = (key: string): string => sha256(key).slice(0, 32);
  const files = (): readonly string[] => unlessIoError(() => inFolder(folder, (at) => readdirSync(at))) ?? [];
  const claimedFiles = new Map<string, string>();

  function write(name: string, due: number, entry: Entry): void {
    makeFolder(folder);
    replaceFile(join(folder, `${name}.${due}`), [Buffer.from(JSON.stringify(entry))], tmp, { durable: true });
  }

  /** Claims one file by renaming it; undefined if another process was first. */
  function take(file: string, seconds: number): ClaimedNotice | undefined {
    const [name = ""] = file.split(".");
    const taken = `${name}.${Date.now() + seconds * 1000}.${randomUUID().slice(0, 8)}.taken`;
    try {
      inFolder(folder, (at) => renameSync(join(at, file), join(at, taken)));
    } catch (error) {
      if (ioErrorCode(error) === "ENOENT") return undefined;
      throw error;
    }
    const entry = parseEntry(unlessIoError(() => readPlain(join(folder, taken)).toString("utf8")) ?? "");
    if (entry === undefined) {
      removeFile(join(folder, taken));
      return undefined;
    }
    claimedFiles.set(entry.key, taken);
    return { key: entry.key, pending: entry.pending, age: (Date.now() - entry.made) / 1000 };
  }

  function letGo(key: string): void {
    const file = claimedFiles.get(key);
    claimedFiles.delete(key);
    if (file !== undefined) removeFile(join(folder, file));
  }

  return {
    async put(key, pending) {
      const name = nameOf(key);
      if (files().some((file) => file.startsWith(`${name}.`) && !file.endsWith(".taken"))) return;
      write(name, Date.now(), { key, pending, made: Date.now() });
    },
    async claim(most, seconds) {
      const due = files().filter((file) => entryName.test(file) && Number(file.split(".")[1]) <= Date.now());
      const claimed: ClaimedNotice[] = [];
      for (const file of due.sort()) {
        if (claimed.length >= most) break;
        const one = take(file, seconds);
        if (one !== undefined) claimed.push(one);
      }
      return claimed;
    },
    async postpone({ key, age }, pending, seconds) {
      write(nameOf(key), Math.round(Date.now() + seconds * 1000), { key, pending, made: Date.now() - age * 1000 });
      letGo(key);
    },
    remove: async ({ key }) => letGo(key),
  };
}

/** An entry that waits, or one whose claim has run out: its process died. */
const entryName = /^[0-9a-f]{32}\.\d+(?:\.[0-9a-f]{8}\.taken)?$/;

function parseEntry(text: string): Entry | undefined {
  const { key, pending, made } = parsedObject(text) ?? {};
  if (typeof key !== "string" || typeof made !== "number" || !isObject(pending) || !isObject(pending.stream))
    return undefined;
  return { key, made, pending: pending as object as PendingNotice };
}
