import { isObject, type JsonObject } from "../evidence/json.ts";

/** Everything that a package is called, in the places where it has a name. */
export type Identity = {
  readonly bot: string;
  /** As people read it. */
  readonly title: string;
  readonly description: string;
  /** On npm. */
  readonly name: string;
  /** Of the command, of the bundle, and of the folder: the package's name without its scope. */
  readonly bin: string;
  readonly version: string;
  /** In the MCP registry. */
  readonly mcpName: string;
  /** In a host's config. */
  readonly key: string;
  /** Nobody has chosen a name yet: it is neither published nor fetched by that name. */
  readonly isPrivate: boolean;
  readonly author: string;
  /** Of the sources, where the package says so and it is on GitHub or GitLab. */
  readonly repository?: { readonly url: string; readonly source: "github" | "gitlab" };
  /** The version of Waymark that made it. */
  readonly waymark: string;
};

export type IdentityRequest = {
  readonly bot: string;
  readonly description: string | undefined;
  /** The name that the author chose for the package. */
  readonly name?: string | undefined;
  /** The package.json of an earlier generation, which its author may have completed. */
  readonly kept: JsonObject;
  readonly tools: readonly string[];
  readonly waymark: string;
};

/** Names a package: by what its author chose, else by what an earlier package.json says, else after the bot. */
export function identify({ bot, description, name: chosen, kept, tools, waymark }: IdentityRequest): Identity {
  const earlier = textAt(kept, "name");
  const name = chosen ?? earlier ?? defaultName(bot);
  const bin = withoutScope(name);
  const title = bot.replaceAll("_", " ");
  const repository = repositoryOf(kept);
  return {
    bot,
    title,
    description: description ?? `Walks an assistant through the process of ${title}, step by step.`,
    name,
    bin,
    version: textAt(kept, "version") ?? "0.1.0",
    mcpName: registryName(kept, name),
    key: keyFor(bot, tools),
    isPrivate: chosen === undefined && (earlier === undefined || kept.private === true),
    author: authorOf(kept) ?? `The authors of ${bot}`,
    ...(repository === undefined ? {} : { repository }),
    waymark,
  };
}

/** What a package is called where nobody says otherwise. */
export function defaultName(bot: string): string {
  return `${slug(bot)}-mcp`;
}

/** A package's name without its scope. */
export function withoutScope(name: string): string {
  return name.replace(/^@[^/]*\//, "");
}

/** Says what is wrong with a name for an npm package; undefined where nothing is. */
export function nameProblem(name: string): string | undefined {
  if (name.length > 214) return "it is longer than 214 characters";
  const isRight = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name);
  if (!isRight) return "npm takes lower-case letters, digits, dots, hyphens and underscores, with a scope or without";
  return ["node_modules", "favicon.ico"].includes(name) ? "npm keeps it for itself" : undefined;
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

/** Some hosts take no more than 60 characters for the server's and a tool's name together. */
function keyFor(bot: string, tools: readonly string[]): string {
  const longest = Math.max(0, ...tools.map((tool) => tool.length));
  return slug(bot)
    .slice(0, Math.max(8, 59 - longest))
    .replace(/-+$/, "");
}

/** Reverse DNS of whoever publishes it. Without a scope nobody knows who that is, and the author has to say. */
function registryName(kept: JsonObject, name: string): string {
  const [own, earlier] = [textAt(kept, "mcpName"), textAt(kept, "name")];
  const isChosen = own !== undefined && registryPattern.test(own) && own !== (earlier && defaultRegistryName(earlier));
  return isChosen ? own : defaultRegistryName(name);
}

const registryPattern = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

/** Stands in the registry's name for an owner that is not known. */
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

function repositoryOf({ repository }: JsonObject): Identity["repository"] {
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
