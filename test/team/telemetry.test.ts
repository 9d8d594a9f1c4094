import { metrics, propagation, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { expect, it, onTestFinished } from "vitest";
import { openTelemetry } from "../../src/mcp/telemetry.ts";
import { makeProject } from "../project.ts";
import { eras, openWindow } from "../window.ts";
import { startServer } from "./server.ts";

/** Loads OpenTelemetry's SDK as an operator does, with exporters that keep what they are told. */
function operatorsSdk() {
  const spans = new InMemorySpanExporter();
  const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  const tracing = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 2 ** 30 });
  const metering = new MeterProvider({ readers: [reader] });
  // false where the interface that Waymark brings is newer than the operator's: then nothing would be told
  expect(trace.setGlobalTracerProvider(tracing)).toBe(true);
  expect(metrics.setGlobalMeterProvider(metering)).toBe(true);
  expect(propagation.setGlobalPropagator(new W3CTraceContextPropagator())).toBe(true);
  onTestFinished(async () => {
    for (const global of [trace, metrics, propagation]) global.disable();
    await Promise.all([tracing.shutdown(), metering.shutdown()]);
  });
  return {
    spans,
    async measurements() {
      measured.reset();
      await reader.forceFlush();
      return measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    },
  };
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
    const { spans, measurements } = operatorsSdk();
    setEnv("OTEL_SERVICE_NAME", "waymark");
    const { root } = makeProject();
    const server = await startServer(root);
    for (const { client } of [await openWindow(root, { era }), await server.open({ era })]) {
      spans.reset();
      await client.listTools();
      const traceId = "0af7651916cd43dd8448eb211c80319c";
      const _meta = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
      await client.callTool({ name: "complete_action", arguments: { confirmation: "private words" }, _meta });
      const about = { "mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool" };
      const ended = spans.getFinishedSpans();
      expect(ended).toMatchObject([
        { name: "tools/list", status: { code: SpanStatusCode.UNSET } },
        {
          name: "tools/call complete_action",
          attributes: { ...about, "gen_ai.tool.name": "complete_action", "error.type": expect.any(String) },
          parentSpanContext: { traceId, spanId: "b7ad6b7169203331" },
          status: { code: SpanStatusCode.ERROR },
        },
      ]);
      expect(ended[1]?.spanContext().traceId).toBe(traceId);
      const [durations, ...others] = await measurements();
      expect([durations?.descriptor.name, others]).toEqual(["mcp.server.operation.duration", []]);
      const error = ended[1]?.attributes["error.type"];
      expect(durations?.dataPoints.map(({ attributes }) => attributes)).toContainEqual(
        expect.objectContaining({ ...about, "error.type": error }),
      );
      const told = [ended.map(({ name, attributes, events }) => [name, attributes, events]), durations?.dataPoints];
      expect(JSON.stringify(told)).not.toContain("private words");
    }
  },
);

it("without the standard variables nothing is told, and the code for it is not loaded", async () => {
  expect(await openTelemetry("pipe", { PATH: "/usr/bin" })).toBeUndefined();
  expect(await openTelemetry("pipe", { OTEL_SDK_DISABLED: "true", OTEL_SERVICE_NAME: "waymark" })).toBeUndefined();
  expect(await openTelemetry("pipe", { OTEL_SDK_DISABLED: "false" })).toBeUndefined();
  expect(await openTelemetry("pipe", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" })).toBeDefined();
});
