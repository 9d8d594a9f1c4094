import type { ElicitRequestFormParams, ElicitResult, ServerContext } from "@modelcontextprotocol/server";
import { text } from "./content.ts";
import type { FixtureTool } from "./tools.ts";

/** Tools that ask the client while they run, as the 2025 protocols do. */
export const askingTools: Readonly<Record<string, FixtureTool>> = {
  test_sampling: {
    takes: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
    async call({ prompt }, { mcpReq }) {
      const asked = { role: "user" as const, content: { type: "text" as const, text: String(prompt) } };
      const { content } = await mcpReq.requestSampling({ messages: [asked], maxTokens: 100 });
      const [first] = Array.isArray(content) ? content : [content];
      return text(`LLM response: ${first?.type === "text" ? first.text : first?.type}`);
    },
  },
  test_elicitation: {
    takes: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
    async call({ message }, ctx) {
      const { action, content } = await ask(ctx, String(message), {
        properties: {
          username: { type: "string", description: "User's response" },
          email: { type: "string", description: "User's email address" },
        },
        required: ["username", "email"],
      });
      return text(`User response: action: ${action}, content: ${JSON.stringify(content ?? {})}`);
    },
  },
  test_elicitation_sep1034_defaults: {
    call: async (_, ctx) =>
      completed(
        await ask(ctx, "Look over these answers.", {
          properties: {
            name: { type: "string", default: "John Doe" },
            age: { type: "integer", default: 30 },
            score: { type: "number", default: 95.5 },
            status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
            verified: { type: "boolean", default: true },
          },
        }),
      ),
  },
  test_elicitation_sep1330_enums: {
    call: async (_, ctx) =>
      completed(
        await ask(ctx, "Choose in five ways.", {
          properties: {
            untitledSingle: { type: "string", enum: plain },
            titledSingle: { type: "string", oneOf: titled },
            legacyEnum: {
              type: "string",
              enum: ["opt1", "opt2", "opt3"],
              enumNames: ["Option One", "Option Two", "Option Three"],
            },
            untitledMulti: { type: "array", items: { type: "string", enum: plain } },
            titledMulti: { type: "array", items: { anyOf: titled } },
          },
        }),
      ),
  },
};

const plain = ["option1", "option2", "option3"];
const titled = [
  { const: "value1", title: "First Option" },
  { const: "value2", title: "Second Option" },
  { const: "value3", title: "Third Option" },
];

type Form = Pick<ElicitRequestFormParams["requestedSchema"], "properties" | "required">;

function ask({ mcpReq }: ServerContext, message: string, form: Form): Promise<ElicitResult> {
  return mcpReq.elicitInput({ mode: "form", message, requestedSchema: { type: "object", ...form } });
}

function completed({ action, content }: ElicitResult): ReturnType<typeof text> {
  return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
}
