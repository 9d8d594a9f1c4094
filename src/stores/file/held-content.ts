import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { unlessIoError } from "../../kit/io-errors.ts";
import { sha256 as hashOf } from "../../kit/sha256.ts";
import type { StepRef } from "../../workflow/events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { identityAt, removeFile, replaceFile, syncFoldersUpTo } from "./atomic-file.ts";
import { readPlain } from "./plain-file.ts";
import { atPath, inFolder } from "./safe-folder.ts";
import { decodeName, encodeName, engineFolder, runPath } from "./stream-paths.ts";

/** Texts held on disk until their completion counts. */
export type HeldContent = {
  /** Holds a text; false if the disk refuses it. */
  put(ref: StepRef, sha256: string, text: string): boolean;
  /** The held text; undefined if missing or changed. */
  get(ref: StepRef, sha256: string): Buffer | undefined;
  /** The changed content in place of a held text. */
  changed(ref: StepRef, sha256: string): Buffer | undefined;
  /** Tells if a held text was changed, replaced or removed. */
  isLost(ref: StepRef, sha256: string): boolean;
  /** The attempts with a changed text. */
  spoiled(): readonly StepRef[];
  /** Releases one text. */
  drop(ref: StepRef, sha256: string): void;
  /** Releases all texts of an attempt. */
  dropAll(ref: StepRef): void;
  /** The attempts that still hold texts. */
  refs(): readonly StepRef[];
};

/** Opens the held texts of one stream. */
export function openHeldContent(area: string, { kind, name, run }: StreamId): HeldContent {
  const shared = join(engineFolder(area), "held");
  const isSession = kind === "session";
  const top = isSession
    ? join(shared, "sessions", encodeName(name))
    : run === undefined
      ? shared
      : join(shared, ...runPath(name, run));
  const tmp = join(engineFolder(area), "tmp");
  /** The texts this process has stored and not released. */
  const placed = new Set<string>();
  const folderOf = (ref: StepRef): string => join(top, folderName(ref));
  const fileOf = (ref: StepRef, sha256: string): string => join(folderOf(ref), nameFor(sha256));
  /** Older sessions held their texts where bots do: those are found and released there. */
  const onceAt = (ref: StepRef, sha256: string): string[] =>
    isSession ? [join(shared, folderName(ref), nameFor(sha256))] : [];
  /** The held file of a text, if any. */
  const status = (ref: StepRef, sha256: string): Buffer | undefined => {
    const file = [fileOf(ref, sha256), ...onceAt(ref, sha256)].find((path) => existsSync(path));
    return file === undefined ? undefined : unlessIoError(() => readPlain(file));
  };
  const refs = (): readonly StepRef[] => {
    const names = (isSession ? [top, shared] : [top]).flatMap((folder) => namesIn(folder));
    const onDisk = names.flatMap((folder) => readFolderName(folder) ?? []);
    return [...new Map(onDisk.map((ref) => [folderName(ref), ref])).values()];
  };
  const changed = (ref: StepRef, sha256: string): Buffer | undefined => {
    const bytes = status(ref, sha256);
    return bytes !== undefined && hashOf(bytes) !== sha256 ? bytes : undefined;
  };
  /** Also counts what is no plain file any more: a link, pipe or folder. */
  const isSpoiled = (ref: StepRef, name: string): boolean =>
    changed(ref, name) !== undefined || unlessIoError(() => identityAt(fileOf(ref, name)) ?? true) === undefined;
  return {
    changed,
    isLost: (ref, sha256) =>
      isSpoiled(ref, sha256) || (placed.has(fileOf(ref, sha256)) && status(ref, sha256) === undefined),
    spoiled: () => refs().filter((ref) => namesIn(folderOf(ref)).some((name) => isSpoiled(ref, name))),
    put(ref, sha256, text) {
      const file = fileOf(ref, sha256);
      const isSafe = unlessIoError(() => {
        replaceFile(file, [Buffer.from(text)], tmp, { durable: true });
        syncFoldersUpTo(top, area);
        return true;
      });
      if (isSafe === true) placed.add(file);
      return isSafe === true;
    },
    get(ref, sha256) {
      const bytes = status(ref, sha256);
      return bytes !== undefined && hashOf(bytes) === sha256 ? bytes : undefined; // a changed one is not the submission
    },
    drop(ref, sha256) {
      const file = fileOf(ref, sha256);
      placed.delete(file);
      const isOwn = existsSync(file);
      for (const path of isOwn ? [file] : onceAt(ref, sha256)) removeFile(path);
    },
    dropAll(ref) {
      for (const file of placed) if (dirname(file) === folderOf(ref)) placed.delete(file);
      unlessIoError(() => atPath(folderOf(ref), (at) => rmSync(at, { recursive: true, force: true })));
      const once = isSession ? [join(shared, folderName(ref))] : [];
      for (const empty of top === shared ? [] : [...once, top])
        unlessIoError(() => atPath(empty, (at) => rmdirSync(at))); // only if it is empty
    },
    refs,
  };
}

function namesIn(folder: string): readonly string[] {
  return unlessIoError(() => inFolder(folder, (at) => readdirSync(at))) ?? [];
}

/** A recorded hash becomes a file name here: an invalid one, which may be a path, is never used. */
function nameFor(sha256: string): string {
  return /^[0-9a-f]{64}$/.test(sha256) ? sha256 : hashOf(sha256);
}

function folderName({ workflow, pass, step, attempt }: StepRef): string {
  return `${encodeName(workflow)}.${pass}.${encodeName(step)}.${attempt}`;
}

function readFolderName(name: string): StepRef | undefined {
  const [workflow, pass, step, attempt] = name.split(".");
  if (workflow === undefined || pass === undefined || step === undefined || attempt === undefined) return undefined;
  const names = { workflow: decodeName(workflow), step: decodeName(step) };
  if (names.workflow === undefined || names.step === undefined) return undefined;
  const ref = { workflow: names.workflow, step: names.step, pass: Number(pass), attempt: Number(attempt) };
  return folderName(ref) === name ? ref : undefined;
}
