import { setTimeout as wait } from "node:timers/promises";
import {
  type CallToolResult,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { askingTools } from "./asking-tools.ts";
import { clientCan } from "./client-can.ts";
import { pixel, silence, text } from "./content.ts";
import { roundTrips } from "./round-trips.ts";

/** A tool that the suite calls by its name. */
export type FixtureTool = {
  readonly takes?: Tool["inputSchema"];
  call(given: Readonly<Record<string, unknown>>, ctx: ServerContext): Promise<CallToolResult | InputRequiredResult>;
};

/** Every tool that the suite wants of a server, with the words it looks for. */
export const tools: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: { call: async () => text("This is a simple text response for testing.") },
  test_image_content: { call: async () => ({ content: [pixel] }) },
  test_audio_content: { call: async () => ({ content: [silence] }) },
  test_embedded_resource: {
    call: async () => ({
      content: [
        {
          type: "resource",
          resource: {
            uri: "test://embedded-resource",
            mimeType: "text/plain",
            text: "This is an embedded resource content.",
          },
        },
      ],
    }),
  },
  test_multiple_content_types: {
    call: async () => ({
      content: [
        { type: "text", text: "Multiple content types test:" },
        pixel,
        {
          type: "resource",
          resource: {
            uri: "test://mixed-content-resource",
            mimeType: "application/json",
            text: JSON.stringify({ test: "data", value: 123 }),
          },
        },
      ],
    }),
  },
  test_error_handling: {
    call: async () => ({ ...text("This tool intentionally returns an error for testing"), isError: true }),
  },
  test_tool_with_logging: {
    async call(_, { mcpReq }) {
      for (const said of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await mcpReq.log("info", said);
        await wait(50);
      }
      return text("All three messages were sent.");
    },
  },
  test_logging_tool: {
    async call(_, { mcpReq }) {
      await mcpReq.log("info", "Only whoever asked for a level hears this.");
      return text("Done.");
    },
  },
  test_tool_with_progress: {
    async call(_, { mcpReq }) {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
        await wait(50);
      }
      return text("Done.");
    },
  },
  test_missing_capability: {
    async call(_, ctx) {
      if (clientCan(ctx).sampling === undefined)
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
      return text("The client can sample.");
    },
  },
  test_trigger_tool_change: { call: async () => text("Nothing here announces changes.") },
  json_schema_2020_12_tool: { takes: modernSchema(), call: async () => text("Done.") },
  ...askingTools,
  ...roundTrips,
};

/** A schema with every kind of word that a listing must pass on as it stands. */
function modernSchema(): Tool["inputSchema"] {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: { address: { $anchor: "address", type: "object", properties: { city: { type: "string" } } } },
    properties: { kind: { type: "string" }, home: { $ref: "#/$defs/address" }, mail: { type: "string" } },
    allOf: [{ anyOf: [{ required: ["home"] }, { required: ["mail"] }] }],
    if: { properties: { kind: { const: "person" } } },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
    then: { required: ["mail"] },
    else: { required: ["home"] },
    additionalProperties: false,
  };
}
