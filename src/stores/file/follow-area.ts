import { type FSWatcher, watch } from "node:fs";
import { dirname, join } from "node:path";
import { unlessIoError } from "../../kit/io-errors.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { versionOf } from "./follow-file.ts";
import { engineFolder, streamPaths } from "./stream-paths.ts";
import { streamsNamedIn } from "./traced-streams.ts";

/** The least milliseconds between two looks at everything, where folders are watched and where they are not. */
const pause = { watched: 1000, blind: 200 };

/** Looking at everything takes at most this share of the time, however many files there are. */
const share = 50;

/** The milliseconds within which changes are gathered. */
const gatherMs = 20;

/** Calls `changed` with the streams of a project area whose journals changed, by watching their folders and by polling. */
export function followArea(area: string, changed: (ids: readonly StreamId[]) => void): () => void {
  const journals = join(engineFolder(area), "journal");
  const watchers = new Map<string, FSWatcher>();
  let known = new Map<string, { readonly id: StreamId; version: string }>();
  let isStopped = false;
  let gathering: NodeJS.Timeout | undefined;
  let polling: NodeJS.Timeout | undefined;
  const heard = new Set<string>();

  function watchFolder(folder: string): void {
    if (watchers.has(folder)) return;
    const watcher = unlessIoError(() => watch(folder, { persistent: false }));
    if (watcher === undefined) return;
    const drop = (): void => {
      watcher.close();
      watchers.delete(folder);
    };
    watcher.on("error", drop);
    watcher.on("change", (_, name) => {
      heard.add(name === null ? folder : join(folder, String(name)));
      gathering ??= setTimeout(lookAtHeard, gatherMs).unref();
    });
    watchers.set(folder, watcher);
  }

  /** Looks at the files that were heard of; at everything if one of them is new. */
  function lookAtHeard(): void {
    gathering = undefined;
    const files = [...heard];
    heard.clear();
    if (isStopped) return;
    if (files.some((file) => !known.has(file))) tell(lookAtAll());
    else tell(files.flatMap(lookAt));
  }

  function lookAt(file: string): readonly StreamId[] {
    const one = known.get(file);
    const version = versionOf(file);
    if (one === undefined || one.version === version) return [];
    one.version = version;
    return [one.id];
  }

  function lookAtAll(): readonly StreamId[] {
    const before = known;
    known = new Map();
    const fresh: StreamId[] = [];
    const folders = new Set([journals]);
    for (const id of streamsNamedIn(journals)) {
      const { journal } = streamPaths(area, id);
      folders.add(dirname(journal));
      const version = versionOf(journal);
      if (before.get(journal)?.version !== version) fresh.push(id);
      known.set(journal, { id, version });
    }
    for (const [file, { id }] of before) if (!known.has(file)) fresh.push(id);
    for (const folder of folders) watchFolder(folder);
    return fresh;
  }

  function tell(ids: readonly StreamId[]): void {
    if (ids.length > 0 && !isStopped) changed(ids);
  }

  function poll(): void {
    const began = performance.now();
    tell(lookAtAll());
    const took = performance.now() - began;
    polling = setTimeout(poll, Math.max(watchers.size > 0 ? pause.watched : pause.blind, share * took)).unref();
  }

  lookAtAll();
  polling = setTimeout(poll, pause.blind).unref();
  return () => {
    isStopped = true;
    clearTimeout(gathering);
    clearTimeout(polling);
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
}
