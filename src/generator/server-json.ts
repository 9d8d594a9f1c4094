import type { JsonObject } from "../evidence/json.ts";
import type { Identity } from "./identity.ts";

/** The bundle as the registry has to know it. */
export type BundleFacts = { readonly file: string; readonly sha256: string };

/** Describes the server for the MCP registry: as an npm package, and as a bundle where a repository says where it is released. */
export function serverJson(identity: Identity, bundle: BundleFacts): JsonObject {
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
    ...(repository === undefined ? {} : { repository }),
    packages: repository === undefined ? [npm] : [npm, released(repository, version, bundle)],
  };
}

const projectArgument = {
  type: "named",
  name: "--root",
  description: "The project folder it works on (default: the folder it is started in)",
  format: "filepath",
  isRequired: false,
};

/** The registry takes bundles from releases on GitHub and GitLab only, and each with its hash. */
function released(
  { url, source }: NonNullable<Identity["repository"]>,
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
