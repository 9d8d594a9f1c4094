import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { LookAtDefinitions } from "./definitions-served.ts";

/** What is counted of a server, without a name of anybody or anything. */
export type Metrics = {
  answered(call: { readonly route: string; readonly status: number; readonly ms: number }): void;
  /** The answer to whoever collects. */
  page(): Promise<Response>;
};

/** How many calls and sessions there are at the moment, and which definitions serve. */
export type Now = { calls(): number; sessions(): number; readonly definitions: LookAtDefinitions };

/** Counts from nothing. */
export function metrics(now: Now): Metrics {
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
    help: "How long answers took, to the end of what was sent",
    labelNames: ["route"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  gauge("waymark_http_calls", "Calls under way", now.calls);
  gauge("waymark_http_sessions", "Sessions of the 2025 protocols that this process holds", now.sessions);
  new Gauge({
    name: "waymark_definitions_info",
    help: "Projects that are served by a version of definitions, and the git commit that is checked out there",
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
