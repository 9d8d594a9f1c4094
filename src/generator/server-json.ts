import { defined } from "../kit/defined.ts";
import type { JsonObject } from "../kit/json.ts";
import type { PackageIdentity } from "./package-identity.ts";

/** The bundle's facts for the registry. */
export type BundleFacts = { readonly file: string; readonly sha256: string };

/** The server's entry for the MCP registry: an npm package, and a bundle if the repository is known. */
export function serverJson(identity: PackageIdentity, bundle: BundleFacts): JsonObject {
  const { mcpName, title, description, version, name, repository } = identity;
  const npm = {
    registryType: "npm",
    registryBaseUrl: "https://registry.npmjs.org",
    identifier: name,
    version,
    runtimeHint: "npx",
    transport: { type: "stdio" },
    packageArguments: [projectArgument],
  };
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcpName,
    title: cut(title),
    description: cut(description),
    version,
    ...defined({ repository }),
    packages: repository === undefined ? [npm] : [npm, released(repository, version, bundle)],
  };
}

const projectArgument = {
  type: "named",
  name: "--root",
  description: "The project folder to work on (default: the current folder)",
  format: "filepath",
  isRequired: false,
};

/** The registry only takes bundles from releases on GitHub and GitLab, each with its hash. */
function released(
  { url, source }: NonNullable<PackageIdentity["repository"]>,
  version: string,
  bundle: BundleFacts,
): JsonObject {
  const releases =
    source === "github" ? `${url}/releases/download/v${version}` : `${url}/-/releases/v${version}/downloads`;
  return {
    registryType: "mcpb",
    identifier: `${releases}/${bundle.file}`,
    version,
    fileSha256: bundle.sha256,
    transport: { type: "stdio" },
  };
}

const longest = 100;

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
