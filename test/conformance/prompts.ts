import {
  acceptedContent,
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  type Prompt,
  type PromptMessage,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { pixel } from "./content.ts";
import { form } from "./round-trips.ts";

type FixturePrompt = {
  readonly takes?: readonly string[];
  get(given: Readonly<Record<string, string>>, ctx: ServerContext): readonly PromptMessage[] | InputRequiredResult;
};

const prompts: Readonly<Record<string, FixturePrompt>> = {
  test_simple_prompt: { get: () => [said("This is a simple prompt for testing.")] },
  test_prompt_with_arguments: {
    takes: ["arg1", "arg2"],
    get: ({ arg1, arg2 }) => [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    takes: ["resourceUri"],
    get: ({ resourceUri = "" }) => [
      {
        role: "user",
        content: {
          type: "resource",
          resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." },
        },
      },
      said("Please process the embedded resource above."),
    ],
  },
  test_prompt_with_image: {
    get: () => [{ role: "user", content: pixel }, said("Please analyze the image above.")],
  },
  test_input_required_result_prompt: {
    get(_, { mcpReq }) {
      const given = acceptedContent(mcpReq.inputResponses, "user_context");
      if (given !== undefined) return [said(`Context: ${given.context}`)];
      const asked = form("What context should the prompt use?", "context");
      return inputRequired({ inputRequests: { user_context: asked } });
    },
  },
};

/** Every prompt that the suite wants of a server. */
export function listPrompts(): Prompt[] {
  return Object.entries(prompts).map(([name, { takes = [] }]) => ({
    name,
    description: `What the suite asks for as ${name}`,
    arguments: takes.map((one) => ({ name: one, required: true })),
  }));
}

/** One of them; undefined where there is none of that name. */
export function getPrompt(
  name: string,
  given: Readonly<Record<string, string>>,
  ctx: ServerContext,
): GetPromptResult | InputRequiredResult | undefined {
  const got = prompts[name]?.get(given, ctx);
  if (got === undefined || "resultType" in got) return got;
  return { messages: [...got] };
}

function said(text: string): PromptMessage {
  return { role: "user", content: { type: "text", text } };
}
