import { setTimeout as wait } from "node:timers/promises";
import { isJSONRPCNotification, isJSONRPCRequest, type Server } from "@modelcontextprotocol/server";
import type { Team } from "../engine/ports/team.ts";
import { once } from "../kit/once.ts";
import type { Era } from "../mcp/elicit-approval.ts";
import type { EndedCall } from "../mcp/server.ts";
import type { Address } from "./address.ts";
import { readJson } from "./body.ts";
import type { Identify } from "./identity.ts";
import { json } from "./json-response.ts";
import { type McpEndpoint, mcpEndpoint } from "./mcp-endpoint.ts";
import { type Metrics, metrics } from "./metrics.ts";
import type { Principal } from "./principal.ts";
import { defaultQuota, type Quota, quotas } from "./quota.ts";
import { notFound, reasonOf, refusal } from "./refusal-response.ts";
import { createRelay } from "./relay.ts";
import type { RunnerEndpoint } from "./runner-endpoint.ts";
import type { ReadVersions } from "./served-versions.ts";
import type { CallFacts, ServerLog } from "./server-log.ts";
import { looksLikeToken } from "./token-record.ts";
import { watchStreams } from "./watch-streams.ts";
import { whenSent } from "./when-sent.ts";

/** The parts of a team server. */
export type TeamServerDeps = {
  /** The project names; a single one is also served at `/mcp`. */
  readonly projects: readonly string[];
  readonly team: Team;
  /** Identifies the caller. */
  readonly identify: Identify;
  /** Creates an MCP server over one project for one connection. */
  serve(project: string, about: ConnectionInfo, ended: (call: EndedCall) => void): Promise<Server>;
  readonly log: ServerLog;
  readonly quota?: Quota;
  /** Reads the versions of the definitions being served. */
  readonly definitions?: ReadVersions;
  /** Answers the runners of each project. */
  readonly runners?: ReadonlyMap<string, RunnerEndpoint>;
  /** Another part to serve, such as the dashboard. */
  readonly otherParts?: ServerPart;
};

/** An independent part of the server; answers undefined for unknown paths. */
export type ServerPart = {
  answer(request: Request, address: Address, facts: CallFacts): Promise<Response | undefined>;
  /** Closes its open streams. */
  close(): void;
};

export type ConnectionInfo = { readonly era: Era; readonly connection: string; readonly principal: Principal };

export type TeamServer = {
  answer(request: Request, address: Address): Promise<Response>;
  /** Serves on, and tells proxies to turn elsewhere. */
  drain(): void;
  /** Stops accepting calls, waits for open ones at most this long, and releases everything. */
  close(graceMs: number): Promise<void>;
};

/** The limits of one call: 10 MB, 200 levels. */
const bodyLimits = { bytes: 10 * 1024 * 1024, levels: 200 };

/** The milliseconds a readiness probe waits, shorter than a call, which bridges a failover. */
const probeTimeoutMs = 2000;

/** The name of the key that seals session ids. */
export const sessionsKey = "sessions";

/** Answers all requests of a team server after `listen` has admitted them. */
export function teamServer(parts: TeamServerDeps): TeamServer {
  const { projects, team, identify, log } = parts;
  const quota = quotas(parts.quota ?? defaultQuota);
  const relay = createRelay(team.signals, log.fault);
  const sessionKey = once(() => team.key(sessionsKey));
  const transports = new Map<string, McpEndpoint>();
  for (const project of projects) {
    const serve = (about: ConnectionInfo): Promise<Server> =>
      parts.serve(project, about, (call) => counted.called(call));
    transports.set(project, mcpEndpoint({ project, relay, report: log.fault, serve, key: sessionKey }));
  }
  const watch = watchStreams(identify);
  const underWay = new Set<symbol>();
  const stopping = new AbortController();
  let isDraining = false;
  let isClosing = false;
  let drained: (() => void) | undefined;
  const counted: Metrics = metrics({
    calls: () => underWay.size,
    sessions: () => [...transports.values()].reduce((sum, transport) => sum + transport.sessions(), 0),
    definitions: parts.definitions ?? (async () => []),
    async wanted() {
      const listed = await Promise.all(projects.map((project) => team.queue.list(project).catch(() => [])));
      return listed.flat().length;
    },
    statements: () => team.statements?.(),
  });

  async function ready(): Promise<Response> {
    const answered = team.ping().then(
      () => true,
      () => false,
    );
    const isAnswering = await Promise.race([answered, wait(probeTimeoutMs, false, { ref: false })]);
    if (isDraining) return refusal(503, "unavailable", "The server is stopping.");
    return isAnswering ? healthy() : refusal(503, "unavailable", "The store does not respond.");
  }

  async function call(request: Request, route: ProjectRoute, facts: CallFacts): Promise<Response> {
    const principal = await identify(request);
    if ("refused" in principal) return principal.refused;
    facts.by = principal.name;
    const project = route.project ?? (projects.length === 1 ? projects[0] : undefined);
    const transport = project === undefined ? undefined : transports.get(project);
    if (transport === undefined || (principal.project !== null && principal.project !== project)) return notFound();
    facts.project = project;
    if (principal.role === "runner") return refusal(403, "forbidden", "A runner's token can only run checks.");
    const isStream = request.method === "GET";
    const entered = quota.enter(principal.id, isStream ? "streams" : "calls");
    if ("after" in entered) return tooManyCalls(entered.after);
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
      const calls = Array.isArray(body.value) ? body.value.filter((one) => isJSONRPCRequest(one)).length : 1;
      const over = quota.spend(principal.id, calls - 1);
      if (over !== undefined) {
        leave();
        return tooManyCalls(over.after);
      }
      Object.assign(facts, calledNames(body.value));
      const isListening = isStream || facts.call === "subscriptions/listen";
      // Answers to open questions are still accepted while the server stops.
      if (isClosing && (isStream || isJSONRPCRequest(body.value))) {
        leave();
        return refusal(503, "unavailable", "The server is stopping. Send the same call again.", closing);
      }
      if (!isListening) underWay.add(mark);
      return watch.whileAllowed(request, whenSent(await transport.answer(request, principal, body.value), leave));
    } catch (fault) {
      leave();
      throw fault;
    }
  }

  /** Answers a runner; a claim that waits counts as a stream. */
  async function ask(request: Request, { project: named }: ProjectRoute, facts: CallFacts): Promise<Response> {
    const principal = await identify(request);
    if ("refused" in principal) return principal.refused;
    facts.by = principal.name;
    const project = named ?? (projects.length === 1 ? projects[0] : undefined);
    const endpoint = project === undefined ? undefined : parts.runners?.get(project);
    if (endpoint === undefined || (principal.project !== null && principal.project !== project)) return notFound();
    facts.project = project;
    if (principal.role === "viewer" || principal.role === "approver")
      return refusal(403, "forbidden", "This token cannot run checks. Use one with the role runner.");
    if (isClosing) return refusal(503, "unavailable", "The server is stopping. Ask again.", closing);
    const entered = quota.enter(principal.id, "streams");
    if ("after" in entered) return tooManyCalls(entered.after);
    try {
      const body = await readJson(request, { bytes: 1024 * 1024, levels: 20 });
      if ("refused" in body) return body.refused;
      return await endpoint(body.value, principal, AbortSignal.any([request.signal, stopping.signal]));
    } finally {
      entered.leave();
    }
  }

  async function routed(request: Request, address: Address, facts: CallFacts): Promise<Response> {
    const route = routeOf(new URL(request.url).pathname);
    facts.route = route.kind;
    switch (route.kind) {
      case "healthz":
        return healthy();
      case "readyz":
        return ready();
      case "metrics":
        return counted.page();
      case "mcp":
        return call(request, route, facts);
      case "runner":
        return ask(request, route, facts);
      case "other":
        return (await parts.otherParts?.answer(request, address, facts)) ?? notFound();
    }
  }

  return {
    async answer(request, address) {
      const from = performance.now();
      const facts: CallFacts = { route: "other" };
      let response: Response;
      try {
        response = await routed(request, address, facts);
      } catch (fault) {
        log.fault(fault);
        response = refusal(503, "unavailable", "The call failed. Send it again.");
      }
      if (isDraining) response.headers.set("connection", "close"); // a proxy opens the next one elsewhere
      const { status } = response;
      const reason = reasonOf(response);
      return whenSent(response, () => {
        const ms = Math.round((performance.now() - from) * 10) / 10;
        counted.answered({ route: facts.route, status, ms });
        log.call({ method: request.method, status, ms, ...facts, ...reason });
      });
    },
    drain() {
      isDraining = true;
    },
    async close(graceMs) {
      isDraining = true;
      isClosing = true;
      watch.close();
      stopping.abort();
      parts.otherParts?.close();
      for (const transport of transports.values()) transport.endStreams();
      if (underWay.size > 0) {
        const late = new Promise((done) => setTimeout(done, graceMs).unref());
        await Promise.race([late, new Promise<void>((done) => (drained = done))]);
      }
      await Promise.allSettled([...transports.values()].map((transport) => transport.close()));
    },
  };
}

type Route = { readonly kind: "healthz" | "readyz" | "metrics" | "other" } | ProjectRoute;
type ProjectRoute = { readonly kind: "mcp" | "runner"; readonly project?: string };

function routeOf(path: string): Route {
  for (const kind of ["mcp", "runner"] as const) {
    if (path === `/${kind}`) return { kind };
    // A name is looked up literally: nothing is decoded, and none leads anywhere.
    if (path.startsWith(`/${kind}/`)) return { kind, project: path.slice(kind.length + 2) };
  }
  if (path === "/healthz" || path === "/readyz" || path === "/metrics") return { kind: path.slice(1) as "healthz" };
  return { kind: "other" };
}

/** Returns the names to log: the protocol method, and the tool if it looks like a tool name. */
function calledNames(message: unknown): { call?: string; tool?: string } {
  if (!isJSONRPCRequest(message) && !isJSONRPCNotification(message)) return {};
  const { method, params } = message;
  const name = method === "tools/call" && typeof params?.name === "string" ? params.name : "";
  return {
    ...(/^[a-z/_]{1,60}$/i.test(method) ? { call: method } : {}),
    ...(/^[\w-]{1,64}$/.test(name) && !looksLikeToken(name) ? { tool: name } : {}),
  };
}

const closing = { connection: "close", "retry-after": "1" };

function healthy(): Response {
  return json({ ok: true });
}

function tooManyCalls(after: number): Response {
  return refusal(429, "unavailable", "Too many calls with this token. Send it again later.", {
    "retry-after": String(after),
  });
}
