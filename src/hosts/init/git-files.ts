import { join } from "node:path";
import type { BlockPart, HostFile } from "../host.ts";
import { hashMarks } from "../protected.ts";

/** The places where a project's history can be kept: this working copy, or git. */
export const histories = ["local", "committed"] as const;
export type History = (typeof histories)[number];

/** Our blocks in .gitignore and .gitattributes. */
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
/** Views for one working copy, rewritten at every step. */
const views = ["workflow_state.json", "activity_log.json"];

/** The folders of `.waymark/` that the engine writes. */
export const engineFolders =
  "journal held kept tmp sessions runs state pinned index backups open notices forgotten".split(" ");
const committedFolders = ["journal", "pinned"];

/** The engine's own files at any depth, with or without histories. */
const ignored: Readonly<Record<History, readonly string[]>> = {
  local: [...engineFolders.map(folder), ...views],
  committed: [
    ...engineFolders.filter((name) => !committedFolders.includes(name)).map(folder),
    "**/.waymark/journal/**/*.published",
    "**/.waymark/journal/**/*.checkpoint",
    "**/.waymark/journal/**/*.shown",
    ...views,
  ],
};

/** The lines that earlier versions wrote. */
const without = (history: History, ...names: readonly string[]): readonly string[] =>
  ignored[history].filter((line) => !names.map(folder).includes(line));
const earlier: Readonly<Record<History, readonly (readonly string[])[]>> = {
  local: [
    [],
    ["notices"],
    ["notices", "state"],
    ["notices", "state", "open"],
    ["notices", "state", "open", "runs"],
  ].map((names) => without("local", "forgotten", ...names)),
  committed: [[], ["notices"], ["notices", "state"], ["notices", "state", "open"]].map((names) =>
    without("committed", "forgotten", ...names),
  ),
};

/** Journals merge by lines without loss, and signed or hashed files keep every byte. */
const attributes = [
  "**/.waymark/journal/**/*.jsonl merge=union -text",
  "**/.waymark/heads/**/*.jsonl merge=union -text",
  "**/.waymark/pinned/** -text",
];
