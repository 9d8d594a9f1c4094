import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ReadVersions } from "./served-versions.ts";

/** The metrics of a server, without names. */
export type Metrics = {
  answered(call: { readonly route: string; readonly status: number; readonly ms: number }): void;
  /** Returns the page for the collector. */
  page(): Promise<Response>;
};

/** The current number of calls and sessions, and the definitions being served. */
export type CurrentLoad = { calls(): number; sessions(): number; readonly definitions: ReadVersions };

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
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
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
    page: async () => new Response(await register.metrics(), { headers: { "content-type": register.contentType } }),
  };

  function gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  }
}
