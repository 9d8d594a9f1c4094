import { isDeepStrictEqual } from "node:util";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import type { Host, HostContext, HostFile, HostId } from "./host.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";
import { zed } from "./zed.ts";

/** Every host that init can set up. */
export const hosts: readonly Host[] = Object.values({
  claude,
  cursor,
  vscode,
  codex,
  gemini,
  windsurf,
  zed,
  copilot,
  opencode,
  qwen,
} satisfies Record<HostId, Host>);

/** The files of some hosts, each once, since several hosts share files. */
export function filesOf(chosen: readonly Host[], place: HostContext): readonly HostFile[] {
  const files = new Map<string, HostFile>();
  for (const file of chosen.flatMap((host) => host.files(place))) {
    const known = files.get(file.path);
    const parts = known?.parts ?? [];
    const added = file.parts.filter((part) => !parts.some((one) => isDeepStrictEqual(one, part)));
    files.set(file.path, known === undefined ? file : { ...known, parts: [...parts, ...added] });
  }
  return [...files.values()];
}
