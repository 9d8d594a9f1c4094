import { join } from "node:path";
import type { BlockPart, HostFile } from "../hosts/host.ts";
import { hashMarks } from "../hosts/protected.ts";

/** Where a project's history is kept: with this working copy, or in git. */
export const histories = ["local", "committed"] as const;
export type History = (typeof histories)[number];

/** Our blocks in the files by which git is told what to keep, and how. */
export function gitFiles(root: string, history: History): readonly HostFile[] {
  const file = (name: string, block: Omit<BlockPart, "kind" | "marks">): HostFile => ({
    path: join(root, name),
    syntax: "text",
    parts: [{ kind: "block", marks: hashMarks, ...block }],
  });
  const [other] = histories.filter((one) => one !== history);
  return [
    file(".gitignore", { lines: ignored[history], not: ignored[other ?? history], earlier: earlier[history] }),
    file(".gitattributes", { lines: history === "committed" ? attributes : [] }),
  ];
}

const folder = (name: string): string => `**/.waymark/${name}/`;
/** Right for one working copy only, and rewritten at every step. */
const views = ["workflow_state.json", "activity_log.json"];

/** The engine's own files, at any depth for bots with an area of their own; histories are kept or not. */
const ignored: Readonly<Record<History, readonly string[]>> = {
  local: [
    ...["journal", "held", "kept", "tmp", "sessions", "runs", "pinned", "index", "backups", "open"].map(folder),
    ...views,
  ],
  committed: [
    ...["held", "kept", "tmp", "sessions", "runs", "index", "backups", "open"].map(folder),
    "**/.waymark/journal/**/*.published",
    "**/.waymark/journal/**/*.checkpoint",
    "**/.waymark/journal/**/*.shown",
    ...views,
  ],
};

/** What was written before hooks had something to read, and before there were named runs. */
const withoutOpen = ignored.local.filter((line) => line !== folder("open"));
const earlier: Readonly<Record<History, readonly (readonly string[])[]>> = {
  local: [withoutOpen, withoutOpen.filter((line) => line !== folder("runs"))],
  committed: [ignored.committed.filter((line) => line !== folder("open"))],
};

/** Records are lines, and none of them goes when two branches meet; no byte of what is signed or named by its hash changes. */
const attributes = [
  "**/.waymark/journal/**/*.jsonl merge=union -text",
  "**/.waymark/heads/**/*.jsonl merge=union -text",
  "**/.waymark/pinned/** -text",
];
