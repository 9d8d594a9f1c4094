import { sha256 } from "../kit/sha256.ts";
import { bundleManifest, type CatalogTool, zipBundle } from "./bundle.ts";
import { clientConfigs } from "./clients.ts";
import { entryText } from "./entry-file.ts";
import { below, entryFile, type Files, inOrder, jsonFile, textFile } from "./files.ts";
import { hostFiles, type PluginHost } from "./host-files.ts";
import type { PackageFolder } from "./package-folder.ts";
import type { PackageIdentity } from "./package-identity.ts";
import { packageJson } from "./package-json.ts";
import { readmeText } from "./readme.ts";
import type { Runtime } from "./runtime-files.ts";
import { type BundleFacts, serverJson } from "./server-json.ts";

/** The parts of a package. */
export type PackageContents = {
  readonly identity: PackageIdentity;
  readonly tools: readonly CatalogTool[];
  readonly kept: PackageFolder["kept"];
  readonly definitions: Files;
  readonly runtime: Runtime;
  /** The host that it is also a plugin of. */
  readonly host?: PluginHost | undefined;
};

/** Builds every file of a package; the bundle holds what the server needs, and server.json names the bundle. */
export function packageFiles(contents: PackageContents): { readonly files: Files; readonly bundle: BundleFacts } {
  const { identity, tools, kept, definitions, runtime } = contents;
  const clients = clientConfigs(identity);
  const core: Files = new Map([
    [entryFile, textFile(entryText(identity, runtime.serve, runtime.hook))],
    ["package.json", jsonFile(packageJson(identity, kept))],
    ["manifest.json", jsonFile(bundleManifest(identity, tools))],
    ["tools.json", jsonFile({ tools })],
    ["README.md", textFile(readmeText(identity, tools, clients))],
    ...definitions,
    ...below("runtime", runtime.files),
  ]);
  const zipped = zipBundle(core);
  const bundle = { file: `${identity.bin}.mcpb`, sha256: sha256(zipped) };
  const files = inOrder([
    ...core,
    ...below("clients", new Map(clients.map(({ file, bytes }) => [file, bytes]))),
    ...(contents.host === undefined ? [] : hostFiles(contents.host, identity, tools[0]?.name ?? identity.bot)),
    ["server.json", jsonFile(serverJson(identity, bundle))],
    [bundle.file, zipped],
  ]);
  return { files, bundle };
}
