import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { EndedCall } from "../mcp/server.ts";
import type { ReadVersions } from "./served-versions.ts";

/** The metrics of a server, without names. */
export type Metrics = {
  answered(call: { readonly route: string; readonly status: number; readonly ms: number }): void;
  /** Counts a tool call. */
  called(call: EndedCall): void;
  /** Returns the page for the collector. */
  page(): Promise<Response>;
};

/** The current number of calls and sessions, and the definitions being served. */
export type CurrentLoad = {
  calls(): number;
  sessions(): number;
  readonly definitions: ReadVersions;
  /** The checks that runners are asked for. */
  wanted(): Promise<number>;
  /** The statements sent to the database or waiting for a connection, and the most connections; undefined without one. */
  statements(): { readonly open: number; readonly connections: number } | undefined;
};

/** The most tools counted by name; names come from callers. */
const mostTools = 500;

/** Creates metrics that start at zero. */
export function metrics(now: CurrentLoad): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const registers = [register];
  const answered = new Counter({
    name: "waymark_http_requests_total",
    help: "Answered requests",
    labelNames: ["route", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "waymark_http_request_seconds",
    help: "Time until an answer was fully sent",
    labelNames: ["route"],
    buckets,
    registers,
  });
  const tools = new Set<string>();
  const calls = new Counter({
    name: "waymark_tool_calls_total",
    help: "Tool calls by how they ended",
    labelNames: ["tool", "outcome"],
    registers,
  });
  const refusals = new Counter({
    name: "waymark_tool_refusals_total",
    help: "Refused tool calls by code",
    labelNames: ["code"],
    registers,
  });
  const toolSeconds = new Histogram({
    name: "waymark_tool_seconds",
    help: "Time of a tool call, with any wait for a person or a check",
    labelNames: ["tool"],
    buckets,
    registers,
  });
  gauge("waymark_checks_wanted", "Checks that runners are asked for", now.wanted);
  if (now.statements() !== undefined) {
    gauge(
      "waymark_store_statements",
      "Statements running or waiting for a connection",
      () => now.statements()?.open ?? 0,
    );
    gauge(
      "waymark_store_connections",
      "The most connections to the database",
      () => now.statements()?.connections ?? 0,
    );
  }
  gauge("waymark_http_calls", "Open calls", now.calls);
  gauge("waymark_http_sessions", "Sessions of the 2025 protocols in this process", now.sessions);
  new Gauge({
    name: "waymark_definitions_info",
    help: "Projects by version of their definitions and git commit",
    labelNames: ["version", "commit"],
    registers,
    async collect() {
      this.reset();
      for (const { version, commit = "" } of await now.definitions().catch(() => [])) this.inc({ version, commit });
    },
  });
  return {
    answered({ route, status, ms }) {
      answered.inc({ route, status });
      seconds.observe({ route }, ms / 1000);
    },
    called({ tool: named, outcome, code, ms }) {
      // A refused call may name a tool that does not exist.
      if (outcome !== "refused" && tools.size < mostTools) tools.add(named);
      const tool = tools.has(named) ? named : "other";
      calls.inc({ tool, outcome });
      if (code !== undefined) refusals.inc({ code });
      toolSeconds.observe({ tool }, ms / 1000);
    },
    page: async () => new Response(await register.metrics(), { headers: { "content-type": register.contentType } }),
  };

  function gauge(name: string, help: string, value: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await value());
      },
    });
  }
}

const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
