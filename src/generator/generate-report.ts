import { join } from "node:path";
import type { JsonObject } from "../kit/json.ts";
import { entryFile } from "./files.ts";
import type { Generated } from "./generate-package.ts";
import { shellCommand } from "./quote-command.ts";

/** The result of a generation as data for scripts. */
export function reportData(generated: Generated): JsonObject {
  const { folder, replaced, tools, files, bytes, bundle, startMilliseconds } = generated;
  const { bot, name, version, mcpName, isPrivate } = generated.identity;
  return {
    bot,
    name,
    version,
    mcp_name: mcpName,
    private: isPrivate,
    out: folder,
    replaced,
    tools,
    files,
    bytes,
    bundle,
    start_ms: startMilliseconds,
  };
}

/** The result of a generation for people, with the next steps. */
export function reportLines(generated: Generated): string[] {
  const { folder, replaced, tools, files, bytes, bundle, startMilliseconds } = generated;
  const { bot, key, name, version, isPrivate } = generated.identity;
  const entry = join(folder, entryFile);
  return [
    `${bot} ${replaced ? "was regenerated in" : "is now a standalone server in"} ${folder}`,
    "",
    `  ${name} ${version}, ${isPrivate ? "private until you choose a name with --name" : "ready to publish"}`,
    `  ${tools.length} tools, ${files} files, ${size(bytes.package - bytes.bundle)}; ${bundle.file} ${size(bytes.bundle)}`,
    `  test start: listed its tools after ${startMilliseconds} ms`,
    "",
    `  Try it    ${shellCommand("node", entry, "--help")}`,
    `  Add it    ${shellCommand("claude", "mcp", "add", key, "--", "node", entry)}`,
    `  More      ${join(folder, "README.md")}`,
  ];
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
