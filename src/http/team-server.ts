import { setTimeout as wait } from "node:timers/promises";
import { isJSONRPCNotification, isJSONRPCRequest, type Server } from "@modelcontextprotocol/server";
import { once } from "../evidence/once.ts";
import type { Era } from "../mcp/ask.ts";
import type { Address } from "./address.ts";
import { readJson } from "./body.ts";
import type { ServerLog, Told } from "./call-log.ts";
import type { LookAtDefinitions } from "./definitions-served.ts";
import type { Identify } from "./identity.ts";
import { json } from "./json.ts";
import { type McpDoor, mcpDoor } from "./mcp-door.ts";
import { type Metrics, metrics } from "./metrics.ts";
import type { Team } from "./ports.ts";
import type { Principal } from "./principal.ts";
import { type Quota, quotas, usualQuota } from "./quota.ts";
import { nothingHere, refusal } from "./refusal.ts";
import { relayOver } from "./relay.ts";
import { looksLikeToken } from "./token-record.ts";
import { whenSent } from "./when-sent.ts";

/** What one server for a team is made of. */
export type TeamServerParts = {
  /** The projects by name; with the only one of them `/mcp` is enough. */
  readonly projects: readonly string[];
  readonly team: Team;
  /** Finds out who calls. */
  readonly identify: Identify;
  /** An MCP server over one project's workplace, for one connection. */
  serve(project: string, about: Connecting): Promise<Server>;
  readonly log: ServerLog;
  readonly quota?: Quota;
  /** Says which versions of the definitions serve. */
  readonly definitions?: LookAtDefinitions;
  /** What else is served, the dashboard for one; undefined where it knows no such path. */
  readonly besides?: Besides;
};

/** A part of the server that stands by itself: undefined where it knows no such path. */
export type Besides = {
  answer(request: Request, address: Address, told: Told): Promise<Response | undefined>;
  /** Ends what it holds open. */
  close(): void;
};

export type Connecting = { readonly era: Era; readonly connection: string; readonly principal: Principal };

export type TeamServer = {
  answer(request: Request, address: Address): Promise<Response>;
  /** Takes no new calls, waits for those under way, at most so long, and lets go of everything. */
  close(graceMs: number): Promise<void>;
};

/** Nobody hands in more than this in one call: 10 MB, 200 levels deep. */
const bodyLimits = { bytes: 10 * 1024 * 1024, levels: 200 };

/** Whoever asks whether a server is ready does not wait as long as a call does, which bridges a failover: in milliseconds. */
const probesWait = 2000;

/** The key that seals the ids of sessions. */
export const sessionsKey = "sessions";

/** Answers everything a team's server is asked, once `listen` has let a request in. */
export function teamServer(parts: TeamServerParts): TeamServer {
  const { projects, team, identify, log } = parts;
  const quota = quotas(parts.quota ?? usualQuota);
  const relay = relayOver(team.signals, log.fault);
  const sessionKey = once(() => team.key(sessionsKey));
  const doors = new Map<string, McpDoor>();
  for (const project of projects) {
    const serve = (about: Connecting): Promise<Server> => parts.serve(project, about);
    doors.set(project, mcpDoor({ project, relay, report: log.fault, serve, key: sessionKey }));
  }
  const underWay = new Set<symbol>();
  let isClosing = false;
  let drained: (() => void) | undefined;
  const counted: Metrics = metrics({
    calls: () => underWay.size,
    sessions: () => [...doors.values()].reduce((sum, door) => sum + door.sessions(), 0),
    definitions: parts.definitions ?? (async () => []),
  });

  async function ready(): Promise<Response> {
    const answered = team.ping().then(
      () => true,
      () => false,
    );
    const isAnswering = await Promise.race([answered, wait(probesWait, false, { ref: false })]);
    if (isClosing) return refusal(503, "unavailable", "This server is being stopped.");
    return isAnswering ? well() : refusal(503, "unavailable", "The store does not answer.");
  }

  async function call(request: Request, route: Route & { kind: "mcp" }, told: Told): Promise<Response> {
    const principal = await identify(request);
    if ("refused" in principal) return principal.refused;
    told.by = principal.name;
    const project = route.project ?? (projects.length === 1 ? projects[0] : undefined);
    const door = project === undefined ? undefined : doors.get(project);
    if (door === undefined || (principal.project !== null && principal.project !== project)) return nothingHere();
    told.project = project;
    if (principal.role === "runner") return refusal(403, "forbidden", "A runner's token is for checks only.");
    const isStream = request.method === "GET";
    const entered = quota.enter(principal.id, isStream ? "streams" : "calls");
    if ("after" in entered) return tooMuch(entered.after);
    const mark = Symbol("a call");
    const leave = (): void => {
      entered.leave();
      underWay.delete(mark);
      if (underWay.size === 0) drained?.();
    };
    try {
      const body = request.method === "POST" ? await readJson(request, bodyLimits) : { value: undefined };
      if ("refused" in body) {
        leave();
        return body.refused;
      }
      Object.assign(told, called(body.value));
      const isListening = isStream || told.call === "subscriptions/listen";
      // Answers to questions under way are still taken while the server stops.
      if (isClosing && (isStream || isJSONRPCRequest(body.value))) {
        leave();
        return refusal(503, "unavailable", "This server is being stopped. Send the same call again.", closing);
      }
      if (!isListening) underWay.add(mark);
      return whenSent(await door.answer(request, principal, body.value), leave);
    } catch (fault) {
      leave();
      throw fault;
    }
  }

  async function routed(request: Request, address: Address, told: Told): Promise<Response> {
    const route = routeOf(new URL(request.url).pathname);
    told.route = route.kind;
    switch (route.kind) {
      case "healthz":
        return well();
      case "readyz":
        return ready();
      case "metrics":
        return counted.page();
      case "mcp":
        return call(request, route, told);
      case "other":
        return (await parts.besides?.answer(request, address, told)) ?? nothingHere();
    }
  }

  return {
    async answer(request, address) {
      const from = performance.now();
      const told: Told = { route: "other" };
      let response: Response;
      try {
        response = await routed(request, address, told);
      } catch (fault) {
        log.fault(fault);
        response = refusal(503, "unavailable", "This call could not be carried out just now. Send it again.");
      }
      const { status } = response;
      return whenSent(response, () => {
        const ms = Math.round((performance.now() - from) * 10) / 10;
        counted.answered({ route: told.route, status, ms });
        log.call({ method: request.method, status, ms, ...told });
      });
    },
    async close(graceMs) {
      isClosing = true;
      parts.besides?.close();
      for (const door of doors.values()) door.endStreams();
      if (underWay.size > 0) {
        const late = new Promise((done) => setTimeout(done, graceMs).unref());
        await Promise.race([late, new Promise<void>((done) => (drained = done))]);
      }
      await Promise.allSettled([...doors.values()].map((door) => door.close()));
    },
  };
}

type Route =
  | { readonly kind: "healthz" | "readyz" | "metrics" | "other" }
  | { readonly kind: "mcp"; readonly project?: string };

function routeOf(path: string): Route {
  if (path === "/mcp") return { kind: "mcp" };
  // A name is looked up as it stands: nothing in it is decoded, and none leads anywhere.
  if (path.startsWith("/mcp/")) return { kind: "mcp", project: path.slice("/mcp/".length) };
  if (path === "/healthz" || path === "/readyz" || path === "/metrics") return { kind: path.slice(1) as "healthz" };
  return { kind: "other" };
}

/** Names that are ours to know: a method of the protocol, and a tool's name as far as it looks like one. */
function called(message: unknown): { call?: string; tool?: string } {
  if (!isJSONRPCRequest(message) && !isJSONRPCNotification(message)) return {};
  const { method, params } = message;
  const name = method === "tools/call" && typeof params?.name === "string" ? params.name : "";
  return {
    ...(/^[a-z/_]{1,60}$/i.test(method) ? { call: method } : {}),
    ...(/^[\w-]{1,64}$/.test(name) && !looksLikeToken(name) ? { tool: name } : {}),
  };
}

const closing = { connection: "close", "retry-after": "1" };

function well(): Response {
  return json({ ok: true });
}

function tooMuch(after: number): Response {
  return refusal(429, "unavailable", "Too many calls at once with this token. Send it again a little later.", {
    "retry-after": String(after),
  });
}
