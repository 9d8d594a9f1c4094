import { join } from "node:path";
import type { HostFile } from "../hosts/host.ts";
import { hashMarks } from "../hosts/protected.ts";

/**
 * What git is not to keep: the engine's own files, at any depth for bots with an area of their own, and the two views
 * that are rewritten at every step and are right for one working copy only.
 */
export function gitignore(root: string): HostFile {
  const lines = [
    ...["journal", "held", "kept", "tmp", "sessions", "pinned", "index", "backups"].map(
      (folder) => `**/.waymark/${folder}/`,
    ),
    "workflow_state.json",
    "activity_log.json",
  ];
  return {
    path: join(root, ".gitignore"),
    syntax: "text",
    parts: [{ kind: "block", marks: hashMarks, lines }],
  };
}
