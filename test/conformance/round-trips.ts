import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import { clientCan } from "./client-can.ts";
import { text } from "./content.ts";
import type { FixtureTool } from "./tools.ts";

/** Seals what a client brings back: a changed state is refused before a tool sees it. */
export const states = createRequestStateCodec({ key: Buffer.alloc(32, "conformance") });

/** What a person is asked for: one text by its name. */
export function form(message: string, name: string): InputRequest {
  return inputRequired.elicit({ message, requestedSchema: z.object({ [name]: z.string() }) });
}

/** Tools that answer with a question and are called again with what it was answered, as the 2026 protocol does. */
export const roundTrips: Readonly<Record<string, FixtureTool>> = {
  test_input_required_result_elicitation: {
    async call(_, { mcpReq }) {
      const given = acceptedContent(mcpReq.inputResponses, "user_name", named);
      return given === undefined ? wanting({ user_name: askName() }) : text(`Hello, ${given.name}!`);
    },
  },
  test_streaming_elicitation: { call: async () => wanting({ user_name: askName() }) },
  test_input_required_result_sampling: {
    async call(_, { mcpReq }) {
      const given = inputResponse(mcpReq.inputResponses, "capital_question");
      if (given.kind === "sampling") return text(JSON.stringify(given.result.content));
      return wanting({ capital_question: askModel("What is the capital of France?") });
    },
  },
  test_input_required_result_list_roots: {
    async call(_, { mcpReq }) {
      const given = inputResponse(mcpReq.inputResponses, "client_roots");
      if (given.kind !== "roots") return wanting({ client_roots: inputRequired.listRoots() });
      return text(given.roots.map(({ uri }) => uri).join(", "));
    },
  },
  test_input_required_result_request_state: {
    async call(_, { mcpReq }) {
      if (mcpReq.requestState() !== undefined && mcpReq.inputResponses?.confirm !== undefined) return text("state-ok");
      return wanting({ confirm: askToConfirm() }, await states.mint({ asked: "confirm" }));
    },
  },
  test_input_required_result_tampered_state: {
    call: async () => wanting({ confirm: askToConfirm() }, await states.mint({ asked: "confirm" })),
  },
  test_input_required_result_multiple_inputs: {
    async call(_, { mcpReq }) {
      const requests = {
        user_name: askName(),
        greeting: askModel("Generate a greeting"),
        client_roots: inputRequired.listRoots(),
      };
      const isWhole = Object.keys(requests).every((key) => mcpReq.inputResponses?.[key] !== undefined);
      return isWhole ? text("All three came back.") : wanting(requests, await states.mint({ asked: "three" }));
    },
  },
  test_input_required_result_multi_round: {
    async call(_, { mcpReq }) {
      const round = mcpReq.requestState<{ readonly round: number }>()?.round ?? 0;
      const given = mcpReq.inputResponses ?? {};
      if (round === 2 && given.step2 !== undefined) return text("Both rounds are done.");
      if (round === 1 && given.step1 !== undefined)
        return wanting(
          { step2: form("Step 2: What is your favorite color?", "color") },
          await states.mint({ round: 2 }),
        );
      return wanting({ step1: form("Step 1: What is your name?", "name") }, await states.mint({ round: 1 }));
    },
  },
  test_input_required_result_capabilities: {
    async call(_, ctx) {
      const can = clientCan(ctx);
      const requests = {
        ...(can.elicitation === undefined ? {} : { user_name: askName() }),
        ...(can.sampling === undefined ? {} : { greeting: askModel("Generate a greeting") }),
      };
      return Object.keys(requests).length === 0 ? text("This client cannot be asked.") : wanting(requests);
    },
  },
};

const named = z.object({ name: z.string() });

function wanting(inputRequests: Record<string, InputRequest>, requestState?: string): InputRequiredResult {
  return inputRequired({ inputRequests, ...(requestState === undefined ? {} : { requestState }) });
}

function askName(): InputRequest {
  return form("What is your name?", "name");
}

function askToConfirm(): InputRequest {
  return inputRequired.elicit({ message: "Please confirm", requestedSchema: z.object({ ok: z.boolean() }) });
}

function askModel(question: string): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: question } }],
    maxTokens: 100,
  });
}
