import { defined } from "../kit/defined.ts";
import { isObject, type JsonObject } from "../kit/json.ts";

/** All names of a package. */
export type PackageIdentity = {
  readonly bot: string;
  /** For people. */
  readonly title: string;
  readonly description: string;
  /** On npm. */
  readonly name: string;
  /** For the command, the bundle and the folder: the package name without its scope. */
  readonly bin: string;
  readonly version: string;
  /** In the MCP registry. */
  readonly mcpName: string;
  /** In a host's config. */
  readonly key: string;
  /** True without a chosen name: the package is neither published nor fetched by name. */
  readonly isPrivate: boolean;
  readonly author: string;
  /** The source repository, if the package names one on GitHub or GitLab. */
  readonly repository?: { readonly url: string; readonly source: "github" | "gitlab" };
  /** The version of Waymark that generated it. */
  readonly waymark: string;
};

export type IdentityRequest = {
  readonly bot: string;
  readonly description: string | undefined;
  /** The author's name for the package. */
  readonly name?: string | undefined;
  /** The package.json of an earlier generation, which its author may have edited. */
  readonly kept: JsonObject;
  readonly tools: readonly string[];
  readonly waymark: string;
};

/** Names a package: as its author chose, as an earlier package.json says, or after the bot. */
export function identify({ bot, description, name: chosen, kept, tools, waymark }: IdentityRequest): PackageIdentity {
  const earlier = textAt(kept, "name");
  const name = chosen ?? earlier ?? defaultName(bot);
  const bin = withoutScope(name);
  const title = bot.replaceAll("_", " ");
  const repository = repositoryOf(kept);
  return {
    bot,
    title,
    description: description ?? `Guides an assistant through the process of ${title}, step by step.`,
    name,
    bin,
    version: textAt(kept, "version") ?? "0.1.0",
    mcpName: registryName(kept, name),
    key: keyFor(bot, tools),
    isPrivate: chosen === undefined && (earlier === undefined || kept.private === true),
    author: authorOf(kept) ?? `The authors of ${bot}`,
    ...defined({ repository }),
    waymark,
  };
}

/** The default name of a package. */
export function defaultName(bot: string): string {
  return `${slug(bot)}-mcp`;
}

/** A package name without its scope. */
export function withoutScope(name: string): string {
  return name.replace(/^@[^/]*\//, "");
}

/** Explains why a name cannot be an npm package name; undefined if it can. */
export function nameProblem(name: string): string | undefined {
  if (name.length > 214) return "it is longer than 214 characters";
  const isRight = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name);
  if (!isRight) return "npm allows lowercase letters, digits, dots, hyphens and underscores, with or without a scope";
  return ["node_modules", "favicon.ico"].includes(name) ? "npm reserves it" : undefined;
}

function slug(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "");
  return (
    plain
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 100) || "bot"
  );
}

/** Some hosts allow 60 characters for the server's and a tool's name together. */
function keyFor(bot: string, tools: readonly string[]): string {
  const longest = Math.max(0, ...tools.map((tool) => tool.length));
  return slug(bot)
    .slice(0, Math.max(8, 59 - longest))
    .replace(/-+$/, "");
}

/** The reverse-DNS name in the registry; without a scope the author must fill in the owner. */
function registryName(kept: JsonObject, name: string): string {
  const [own, earlier] = [textAt(kept, "mcpName"), textAt(kept, "name")];
  const isChosen = own !== undefined && registryPattern.test(own) && own !== (earlier && defaultRegistryName(earlier));
  return isChosen ? own : defaultRegistryName(name);
}

const registryPattern = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

/** The placeholder for an unknown owner in the registry name. */
export const unknownOwner = "io.github.your-name";

function defaultRegistryName(name: string): string {
  const [, scope] = /^@([^/]+)\//.exec(name) ?? [];
  const owner = scope === undefined ? unknownOwner : `io.github.${scope.replace(/[^a-zA-Z0-9.-]+/g, "-")}`;
  return `${owner}/${withoutScope(name).replaceAll("~", "-")}`;
}

function authorOf({ author }: JsonObject): string | undefined {
  const written = isObject(author) ? author.name : author;
  if (typeof written !== "string") return undefined;
  return written.replace(/\s*[<(].*$/, "").trim() || undefined;
}

function repositoryOf({ repository }: JsonObject): PackageIdentity["repository"] {
  const written = isObject(repository) ? repository.url : repository;
  if (typeof written !== "string") return undefined;
  const found = /(?:^|[/@.])(github|gitlab)(?:\.com[/:]|:)([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(written);
  const [, source, path] = found ?? [];
  if (source !== "github" && source !== "gitlab") return undefined;
  return { source, url: `https://${source}.com/${path}` };
}

function textAt(from: JsonObject, key: string): string | undefined {
  const value = from[key];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
