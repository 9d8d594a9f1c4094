import type { JsonObject } from "../evidence/json.ts";
import { entryFile } from "./files.ts";
import type { Identity } from "./identity.ts";

/** The oldest Node that the runtime runs on. */
export const nodeRange = ">=20.19";

/** Writes the package.json: what a server needs, and whatever its author has added since. */
export function packageJson(identity: Identity, kept: JsonObject): JsonObject {
  const { name, version, isPrivate, description, mcpName, bin } = identity;
  const settled = ["name", "version", "private", "description", "mcpName"];
  const added = Object.entries(kept).filter(([key]) => !settled.includes(key));
  return {
    name,
    version,
    ...(isPrivate ? { private: true } : {}),
    description,
    mcpName,
    keywords: ["mcp", "mcp-server", "waymark"],
    ...Object.fromEntries(added),
    type: "module",
    bin: { [bin]: entryFile },
    files: [entryFile, "tools.json", "server.json", "clients", "definitions", "runtime"],
    engines: { node: nodeRange },
  };
}
