import type { JsonObject } from "../kit/json.ts";
import { entryFile } from "./files.ts";
import type { PackageIdentity } from "./package-identity.ts";

/** The oldest Node version the runtime supports. */
export const nodeRange = ">=20.19";

/** Writes the package.json: the server's needs, and everything its author has added. */
export function packageJson(identity: PackageIdentity, kept: JsonObject): JsonObject {
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
