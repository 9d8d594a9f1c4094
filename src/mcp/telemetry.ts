import type { Attributes, Context, Span } from "@opentelemetry/api";
import { defined } from "../kit/defined.ts";
import { isObject } from "../kit/json.ts";

/** A request as the conventions for MCP describe it. */
export type TracedRequest = {
  readonly method: string;
  /** The tool, prompt or resource that it names. */
  readonly target?: string;
  readonly id: string | number;
  /** May carry the caller's trace (`traceparent`). */
  readonly meta: unknown;
};

/** Tells an operator's OpenTelemetry about requests. */
export type Telemetry = {
  /** Does the work of a request in a span; `errorOf` names what its result refuses. */
  around<T>(request: TracedRequest, work: () => Promise<T>, errorOf?: (result: T) => string | undefined): Promise<T>;
};

/** The most names told apart, since they come from callers. */
const mostNames = 500;

/** Tells if an operator has configured OpenTelemetry by its standard variables. */
function isTelemetryConfigured(env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === "true") return false;
  return Object.entries(env).some(([name, value]) => name.startsWith("OTEL_") && name !== "OTEL_SDK_DISABLED" && value);
}

/**
 * Opens telemetry if it is configured; its code is loaded only then. We bring the API alone: where spans and metrics go is decided by the
 * SDK that the operator loads before us, and without one they go nowhere.
 */
export async function openTelemetry(
  transport: "pipe" | "tcp",
  env: NodeJS.ProcessEnv = process.env,
): Promise<Telemetry | undefined> {
  if (!isTelemetryConfigured(env)) return undefined;
  const { context, metrics, propagation, SpanKind, SpanStatusCode, trace } = await import("@opentelemetry/api");
  const tracer = trace.getTracer("waymark");
  const seconds = metrics.getMeter("waymark").createHistogram("mcp.server.operation.duration", {
    unit: "s",
    description: "The time from a request to its result",
    advice: { explicitBucketBoundaries: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] },
  });
  const names = new Set<string>();
  const isKnown = (name: string): boolean => names.has(name) || (names.size < mostNames && names.add(name).has(name));
  return {
    async around(given, work, errorOf = () => undefined) {
      const from = performance.now();
      const { target: named, ...plain } = given;
      const request: TracedRequest = named === undefined || isKnown(named) ? given : plain;
      const about: Attributes = { ...attributesOf(request), "network.transport": transport };
      const parent: Context = propagation.extract(context.active(), textsIn(request.meta));
      const name = request.target === undefined ? request.method : `${request.method} ${request.target}`;
      const own = { "jsonrpc.request.id": String(request.id) };
      const span: Span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: { ...about, ...own } }, parent);
      const end = (error: string | undefined): void => {
        const failed = defined({ "error.type": error });
        if (error !== undefined) span.setAttributes(failed).setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        seconds.record((performance.now() - from) / 1000, { ...about, ...failed });
      };
      try {
        const result = await context.with(trace.setSpan(parent, span), work);
        end(errorOf(result));
        return result;
      } catch (fault) {
        end(fault instanceof Error ? fault.name : "_OTHER");
        throw fault;
      }
    },
  };
}

/** The names of the conventions; no argument, text or person is among them. */
function attributesOf({ method, target }: TracedRequest): Attributes {
  return {
    "mcp.method.name": method,
    ...(method === "tools/call"
      ? { "gen_ai.operation.name": "execute_tool", ...defined({ "gen_ai.tool.name": target }) }
      : {}),
    ...(method === "prompts/get" ? defined({ "gen_ai.prompt.name": target }) : {}),
  };
}

/** The parts of `_meta` that may carry a trace. */
function textsIn(meta: unknown): Record<string, string> {
  const given = isObject(meta) ? meta : {};
  const carried = ["traceparent", "tracestate", "baggage"].flatMap((name): [string, string][] => {
    const value = given[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  return Object.fromEntries(carried);
}
