import { type Schema, Validator } from "@cfworker/json-schema";

/** Lists what is wrong with a value by a schema; empty where nothing is. */
export function complaints(schema: Schema, value: unknown): string[] {
  const { errors } = new Validator(schema, "2020-12", false).validate(value);
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

const text: Schema = { type: "string" };
const required = (...names: string[]): Schema => ({ type: "object", required: names });

const stdio: Schema = { ...required("type"), properties: { type: { enum: ["stdio"] } } };
const exactVersion: Schema = { type: "string", minLength: 1, not: { const: "latest" } };

function npmPackage(): Schema {
  const argument: Schema = {
    ...required("type", "name"),
    properties: {
      type: { enum: ["named"] },
      name: text,
      description: text,
      format: { enum: ["string", "number", "boolean", "filepath"] },
      isRequired: { type: "boolean" },
    },
  };
  return {
    ...required("registryType", "identifier", "version", "transport"),
    additionalProperties: false,
    properties: {
      registryType: { const: "npm" },
      registryBaseUrl: { const: "https://registry.npmjs.org" },
      identifier: { type: "string", pattern: "^(@[a-z0-9-]+/)?[a-z0-9._-]+$" },
      version: exactVersion,
      runtimeHint: text,
      transport: stdio,
      packageArguments: { type: "array", items: argument },
    },
  };
}

/** A bundle is a release on GitHub or GitLab, its hash is required, and its address says "mcp". */
function bundlePackage(): Schema {
  return {
    ...required("registryType", "identifier", "version", "transport", "fileSha256"),
    additionalProperties: false,
    properties: {
      registryType: { const: "mcpb" },
      identifier: { type: "string", pattern: "^https://(github|gitlab)\\.com/.*mcp.*$" },
      version: exactVersion,
      fileSha256: { type: "string", pattern: "^[a-f0-9]{64}$" },
      transport: stdio,
    },
  };
}

/** The part of the registry's server.json that a local server uses (schema 2025-12-11, and the official registry's rules). */
export const serverJsonSchema: Schema = {
  ...required("$schema", "name", "description", "version", "packages"),
  properties: {
    $schema: { const: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json" },
    name: { type: "string", pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", minLength: 3, maxLength: 200 },
    title: { type: "string", minLength: 1, maxLength: 100 },
    description: { type: "string", minLength: 1, maxLength: 100 },
    version: { type: "string", maxLength: 255, pattern: "^\\d+\\.\\d+\\.\\d+" },
    repository: {
      ...required("url", "source"),
      properties: { url: { type: "string", format: "uri" }, source: { enum: ["github", "gitlab"] } },
    },
    packages: { type: "array", minItems: 1, items: { anyOf: [npmPackage(), bundlePackage()] } },
    remotes: { type: "array" },
    websiteUrl: { type: "string", format: "uri" },
    icons: { type: "array" },
    _meta: { type: "object" },
  },
  additionalProperties: false,
};

/** The manifest of an MCPB bundle with a Node server (manifest version 0.3, strict: a key it does not know is an error). */
export const manifestSchema: Schema = {
  ...required("manifest_version", "name", "version", "description", "author", "server"),
  additionalProperties: false,
  properties: {
    manifest_version: { const: "0.3" },
    name: text,
    display_name: text,
    version: { type: "string", pattern: "^\\d+\\.\\d+\\.\\d+" },
    description: text,
    long_description: text,
    author: { ...required("name"), properties: { name: text, email: text, url: text }, additionalProperties: false },
    repository: { ...required("type", "url"), properties: { type: text, url: text }, additionalProperties: false },
    server: {
      ...required("type", "entry_point", "mcp_config"),
      additionalProperties: false,
      properties: {
        type: { const: "node" },
        entry_point: text,
        mcp_config: {
          ...required("command"),
          additionalProperties: false,
          properties: {
            command: text,
            args: { type: "array", items: text },
            env: { type: "object", additionalProperties: text },
            platform_overrides: { type: "object" },
          },
        },
      },
    },
    tools: {
      type: "array",
      items: { ...required("name"), properties: { name: text, description: text }, additionalProperties: false },
    },
    tools_generated: { type: "boolean" },
    prompts: { type: "array" },
    prompts_generated: { type: "boolean" },
    keywords: { type: "array", items: text },
    license: text,
    compatibility: {
      type: "object",
      properties: {
        platforms: { type: "array", items: { enum: ["darwin", "win32", "linux"] } },
        runtimes: { type: "object", properties: { node: text, python: text }, additionalProperties: false },
      },
    },
    user_config: {
      type: "object",
      additionalProperties: {
        ...required("type", "title", "description"),
        additionalProperties: false,
        properties: {
          type: { enum: ["string", "number", "boolean", "directory", "file"] },
          title: text,
          description: text,
          required: { type: "boolean" },
          default: {},
          multiple: { type: "boolean" },
          sensitive: { type: "boolean" },
        },
      },
    },
  },
};
