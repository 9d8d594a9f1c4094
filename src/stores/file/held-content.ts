import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DeskId } from "../../engine/ports.ts";
import { sha256 as hashOf } from "../../evidence/sha256.ts";
import type { StepRef } from "../../workflow/events.ts";
import { identify, removeFile, replaceFile, syncFoldersUpTo } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { decodeName, encodeName, ownFolder, runPath } from "./places.ts";
import { readPlain } from "./plain-file.ts";
import { inFolder, reach } from "./way.ts";

/** Texts kept until the completion they belong to counts: on disk, or in memory where the disk would not take them. */
export type HeldContent = {
  /** Keeps a text; false where it is safe in this process only. */
  put(ref: StepRef, sha256: string, text: string): boolean;
  /** The text as it was kept; undefined where it is gone or no longer the same. */
  get(ref: StepRef, sha256: string): Buffer | undefined;
  /** What stands in the place of a text and is no longer the same: somebody changed it, or put another there. */
  changed(ref: StepRef, sha256: string): Buffer | undefined;
  /** Whether a text was held and is not there as it was: changed, no plain file any more, or gone while this process looked away. */
  isLost(ref: StepRef, sha256: string): boolean;
  /** The attempts of which something that is held was changed. */
  spoiled(): readonly StepRef[];
  /** Lets one text go. */
  drop(ref: StepRef, sha256: string): void;
  /** Lets everything of an attempt go. */
  dropAll(ref: StepRef): void;
  /** The attempts that still have something held. */
  refs(): readonly StepRef[];
};

/** Opens what is held for one desk in a project area. */
export function openHeldContent(area: string, { kind, name, run }: DeskId): HeldContent {
  const shared = join(ownFolder(area), "held");
  const isSession = kind === "session";
  const top = isSession
    ? join(shared, "sessions", encodeName(name))
    : run === undefined
      ? shared
      : join(shared, ...runPath(name, run));
  const tmp = join(ownFolder(area), "tmp");
  const unsaved = new Map<string, { readonly ref: StepRef; readonly text: string }>();
  /** What this process has put on disk and not let go. */
  const placed = new Set<string>();
  const folderOf = (ref: StepRef): string => join(top, folderName(ref));
  const fileOf = (ref: StepRef, sha256: string): string => join(folderOf(ref), nameFor(sha256));
  /** Sessions once held their texts where bots do: what still lies there is found, and only that is let go. */
  const onceAt = (ref: StepRef, sha256: string): string[] =>
    isSession ? [join(shared, folderName(ref), nameFor(sha256))] : [];
  /** The file that is held for a text; undefined where there is none. */
  const standing = (ref: StepRef, sha256: string): Buffer | undefined => {
    const file = [fileOf(ref, sha256), ...onceAt(ref, sha256)].find((path) => existsSync(path));
    return file === undefined ? undefined : unlessFault(() => readPlain(file));
  };
  const refs = (): readonly StepRef[] => {
    const names = (isSession ? [top, shared] : [top]).flatMap((folder) => namesIn(folder));
    const onDisk = names.flatMap((folder) => readFolderName(folder) ?? []);
    const inMemory = [...unsaved.values()].map(({ ref }) => ref);
    return [...new Map([...onDisk, ...inMemory].map((ref) => [folderName(ref), ref])).values()];
  };
  const changed = (ref: StepRef, sha256: string): Buffer | undefined => {
    const bytes = unsaved.has(fileOf(ref, sha256)) ? undefined : standing(ref, sha256);
    return bytes !== undefined && hashOf(bytes) !== sha256 ? bytes : undefined;
  };
  /** Also what is no plain file any more: a link, a pipe, a folder. */
  const isSpoiled = (ref: StepRef, name: string): boolean =>
    changed(ref, name) !== undefined || unlessFault(() => identify(fileOf(ref, name)) ?? true) === undefined;
  return {
    changed,
    isLost: (ref, sha256) =>
      isSpoiled(ref, sha256) || (placed.has(fileOf(ref, sha256)) && standing(ref, sha256) === undefined),
    spoiled: () => refs().filter((ref) => namesIn(folderOf(ref)).some((name) => isSpoiled(ref, name))),
    put(ref, sha256, text) {
      const file = fileOf(ref, sha256);
      const isSafe = unlessFault(() => {
        replaceFile(file, [Buffer.from(text)], tmp, { durable: true });
        syncFoldersUpTo(top, area);
        return true;
      });
      if (isSafe === undefined) unsaved.set(file, { ref, text });
      else placed.add(file);
      return isSafe === true;
    },
    get(ref, sha256) {
      const text = unsaved.get(fileOf(ref, sha256))?.text;
      if (text !== undefined) return Buffer.from(text);
      const bytes = standing(ref, sha256);
      return bytes !== undefined && hashOf(bytes) === sha256 ? bytes : undefined; // one that was changed here is not what was handed in
    },
    drop(ref, sha256) {
      const file = fileOf(ref, sha256);
      placed.delete(file);
      const isOwn = unsaved.delete(file) || existsSync(file);
      for (const path of isOwn ? [file] : onceAt(ref, sha256)) removeFile(path);
    },
    dropAll(ref) {
      for (const file of unsaved.keys()) if (dirname(file) === folderOf(ref)) unsaved.delete(file);
      for (const file of placed) if (dirname(file) === folderOf(ref)) placed.delete(file);
      unlessFault(() => reach(folderOf(ref), (at) => rmSync(at, { recursive: true, force: true })));
      const once = isSession ? [join(shared, folderName(ref))] : [];
      for (const empty of top === shared ? [] : [...once, top]) unlessFault(() => reach(empty, (at) => rmdirSync(at))); // only where nothing is left in it
    },
    refs,
  };
}

function namesIn(folder: string): readonly string[] {
  return unlessFault(() => inFolder(folder, (at) => readdirSync(at))) ?? [];
}

/** What a record gives as a hash names a file here: one that is none, and may be a path, is never gone by. */
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
