import { type Zippable, zipSync } from "fflate";
import type { JsonObject } from "../kit/json.ts";
import { entryFile, type Files, inOrder } from "./files.ts";
import type { PackageIdentity } from "./package-identity.ts";
import { nodeRange } from "./package-json.ts";

/** A tool of the catalog. */
export type CatalogTool = { readonly name: string; readonly description?: string | undefined };

/** The manifest for hosts that install bundles: what to run, and the folder to ask the user for. */
export function bundleManifest(identity: PackageIdentity, tools: readonly CatalogTool[]): JsonObject {
  const { bin, title, version, description, author, repository } = identity;
  return {
    manifest_version: "0.3",
    name: bin,
    display_name: title,
    version,
    description,
    author: { name: author },
    ...(repository === undefined ? {} : { repository: { type: "git", url: `${repository.url}.git` } }),
    server: {
      type: "node",
      entry_point: entryFile,
      mcp_config: {
        command: "node",
        args: [`\${__dirname}/${entryFile}`, "--root", `\${user_config.project_folder}`],
        env: {},
      },
    },
    tools: tools.map(({ name, description: said = "" }) => ({ name, description: said })),
    prompts_generated: true,
    keywords: ["mcp", "waymark"],
    compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: nodeRange } },
    user_config: {
      project_folder: {
        type: "directory",
        title: "Project folder",
        description: "The project to work on. State, log and results are kept there.",
        required: true,
      },
    },
  };
}

/** Zips files into a bundle; the same files always give the same bytes. */
export function zipBundle(files: Files): Uint8Array {
  const entries: Zippable = {};
  for (const [path, bytes] of inOrder(files)) {
    const mode = path === entryFile ? 0o100755 : 0o100644;
    entries[path] = [bytes, { level: 9, mtime: earliest(), os: unix, attrs: mode * 0x10000 }];
  }
  return zipSync(entries);
}

const unix = 3;

/** The earliest local time that a zip can store, in every time zone. */
function earliest(): Date {
  return new Date(1980, 0, 1);
}
