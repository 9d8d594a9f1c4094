import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import type { Client } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { makeToken } from "../src/http/token-record.ts";
import { isObject } from "../src/kit/json.ts";
import { transport } from "./doors.ts";
import { postgresUrl } from "./postgres.ts";
import { type Server, type StartOptions, startServer } from "./team/server.ts";
import type { Window, WindowOptions } from "./window.ts";

type Serving = { readonly server: Server; windows: number };

const serving = new Map<string, Promise<Serving>>();
const isInForce = new Set<string>();
const made = new Map<number, ReturnType<typeof makeToken>>();

/** Opens a window over HTTP: an official client at the one server of its project, with a token of its own, as one chat of one person has. */
export async function openRemote(root: string, { args = [], ...options }: WindowOptions): Promise<Window> {
  const key = JSON.stringify([root, args]);
  let started = serving.get(key);
  if (started === undefined) {
    started = placeOf(root, args).then(async (place) => ({ server: await startServer(root, place), windows: 0 }));
    serving.set(key, started);
    onTestFinished(() => void serving.delete(key));
  }
  const now = await started;
  now.windows += 1;
  const window = await now.server.open({ ...options, token: await tokenOf(root, now) });
  nameAttempts(window);
  return transport === "http-postgres" ? shownIn(root, window) : window;
}

/** Over HTTP a call that says the same as an earlier one names its attempt, or it could be that one arriving late. */
function nameAttempts({ client }: Window): void {
  const sent = new Set<string>();
  let attempt: unknown;
  const callTool = client.callTool.bind(client);
  client.callTool = async ({ name, arguments: given = {}, ...params }, ...rest) => {
    const isRepeated = name === "complete_action" && sent.has(JSON.stringify(given));
    const named = isRepeated && !("attempt" in given) && attempt !== undefined ? { ...given, attempt } : given;
    if (name === "complete_action") sent.add(JSON.stringify(given));
    const answer = await callTool({ ...params, name, arguments: named }, ...rest);
    const { structuredContent: said } = answer;
    if (isObject(said)) attempt = said.attempt ?? attempt;
    return answer;
  };
}

/** No file stands on a server with a database: what tests look for in a project is written there as it is read back, after every call. */
function shownIn(root: string, window: Window): Window {
  const { client } = window;
  const callTool = client.callTool.bind(client);
  client.callTool = async (...asked) => {
    const answer = await callTool(...asked);
    await writeShown(root, client);
    return answer;
  };
  return window;
}

async function writeShown(root: string, client: Client): Promise<void> {
  for (const { uri } of (await client.listResources()).resources) {
    const file = fileOf(uri);
    const [content] = file === undefined ? [] : (await client.readResource({ uri }).catch(() => none)).contents;
    if (file === undefined || content === undefined || !("text" in content)) continue;
    if (content.text === "null") continue; // nothing has begun
    try {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), content.text);
    } catch {
      // a test has put something else there
    }
  }
}

const none = { contents: [] };

/** Where a file that shows something stands in a project. */
function fileOf(uri: string): string | undefined {
  const parts = uri.replace("waymark://", "").split("/").map(decodeURIComponent);
  const [first = "", second = ""] = parts;
  const name = { state: "workflow_state.json", log: "activity_log.json" }[parts.at(-1) ?? ""];
  if (first === "content") return parts.slice(2).join("/");
  if (first === "sessions") return parts[2] === "state" ? `.waymark/sessions/${second}.json` : undefined;
  return parts.length === 2 ? name : `.waymark/runs/${first}/${parts.slice(2, -1).join("/")}/${name}`;
}

/** What a command is told so that it looks where the windows of this root look. */
export async function storeArgs(root: string): Promise<readonly string[]> {
  return transport === "http-postgres" ? ["--store", await database(), "--project", projectOf(root)] : [];
}

/** The token of a window, by its number. An author does what whoever sits at this machine does over stdio. */
async function tokenOf(root: string, { server, windows }: Serving): Promise<string> {
  const about = { name: `window-${process.pid}-${windows}`, role: "author", project: null } as const;
  const one = made.get(windows) ?? makeToken(about, new Date());
  made.set(windows, one);
  const where = JSON.stringify([transport === "http-postgres" ? "" : root, windows]);
  if (!isInForce.has(where)) await server.tokens.add(one.token);
  isInForce.add(where);
  return one.secret;
}

async function placeOf(root: string, args: readonly string[]): Promise<StartOptions> {
  const { values } = parseArgs({
    args: [...args],
    options: { "project-area": { type: "string" }, definitions: { type: "string" } },
  });
  const { "project-area": projectArea, definitions } = values;
  return {
    ...(projectArea === undefined ? {} : { projectArea }),
    ...(definitions === undefined ? {} : { definitions }),
    ...(transport === "http-postgres" ? { store: await database(), project: projectOf(root) } : {}),
  };
}

/** Tokens count for a whole schema, so these stand in one of their own. */
async function database(): Promise<string> {
  return `${await postgresUrl()}?schema=doors`;
}

/** Each root is a project of its own in the database. */
function projectOf(root: string): string {
  return `root-${createHash("sha256").update(root).digest("hex").slice(0, 24)}`;
}
