import {
  type Attributes,
  type Context,
  metrics,
  propagation,
  type Span,
  type SpanOptions,
  trace,
} from "@opentelemetry/api";
import { expect, it, onTestFinished } from "vitest";
import { openTelemetry } from "../../src/mcp/telemetry.ts";
import { makeProject } from "../project.ts";
import { eras, openWindow } from "../window.ts";
import { startServer } from "./server.ts";

type Told = { name: string; attributes: Attributes; trace: string | undefined; failed: boolean; ended: boolean };

/** Stands in for the SDK that an operator loads: it keeps what it is told. */
function operatorsSdk(): { spans: Told[]; measured: Attributes[] } {
  const spans: Told[] = [];
  const measured: Attributes[] = [];
  const startSpan = (name: string, { attributes = {} }: SpanOptions = {}, context?: Context): Span => {
    const parent = context && trace.getSpanContext(context);
    const told: Told = { name, attributes: { ...attributes }, trace: parent?.traceId, failed: false, ended: false };
    spans.push(told);
    const span = {
      spanContext: () => ({ traceId: parent?.traceId ?? "0".repeat(32), spanId: "1".repeat(16), traceFlags: 1 }),
      setAttributes(more: Attributes) {
        Object.assign(told.attributes, more);
        return span;
      },
      setStatus() {
        told.failed = true;
        return span;
      },
      end() {
        told.ended = true;
      },
    };
    return span as unknown as Span;
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }) });
  const createHistogram = () => ({ record: (_: number, attributes: Attributes) => void measured.push(attributes) });
  metrics.setGlobalMeterProvider({ getMeter: () => ({ createHistogram }) as never });
  propagation.setGlobalPropagator({
    inject() {},
    extract(context, carrier) {
      const [, traceId, spanId] = /^00-(\w{32})-(\w{16})-01$/.exec(carrier.traceparent ?? "") ?? [];
      if (traceId === undefined || spanId === undefined) return context;
      return trace.setSpanContext(context, { traceId, spanId, traceFlags: 1, isRemote: true });
    },
    fields: () => ["traceparent"],
  });
  onTestFinished(() => {
    trace.disable();
    metrics.disable();
    propagation.disable();
  });
  return { spans, measured };
}

function setEnv(name: string, value: string): void {
  process.env[name] = value;
  onTestFinished(() => {
    delete process.env[name];
  });
}

it.each(eras)(
  "an operator's SDK is told of each request by the conventions of MCP, and of no words (%s)",
  async (era) => {
    const { spans, measured } = operatorsSdk();
    setEnv("OTEL_SERVICE_NAME", "waymark");
    const { root } = makeProject();
    const server = await startServer(root);
    for (const { client } of [await openWindow(root, { era }), await server.open({ era })]) {
      spans.length = 0;
      await client.listTools();
      const traceId = "0af7651916cd43dd8448eb211c80319c";
      const _meta = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
      await client.callTool({ name: "complete_action", arguments: { confirmation: "private words" }, _meta });
      const about = { "mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool" };
      expect(spans).toMatchObject([
        { name: "tools/list", failed: false, ended: true },
        {
          name: "tools/call complete_action",
          attributes: { ...about, "gen_ai.tool.name": "complete_action", "error.type": expect.any(String) },
          trace: traceId,
          failed: true,
          ended: true,
        },
      ]);
      expect(measured.at(-1)).toMatchObject({ ...about, "error.type": spans[1]?.attributes["error.type"] });
      expect(JSON.stringify([spans, measured])).not.toContain("private words");
    }
  },
);

it("without the standard variables nothing is told, and the code for it is not loaded", async () => {
  expect(await openTelemetry("pipe", { PATH: "/usr/bin" })).toBeUndefined();
  expect(await openTelemetry("pipe", { OTEL_SDK_DISABLED: "true", OTEL_SERVICE_NAME: "waymark" })).toBeUndefined();
  expect(await openTelemetry("pipe", { OTEL_SDK_DISABLED: "false" })).toBeUndefined();
  expect(await openTelemetry("pipe", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" })).toBeDefined();
});
