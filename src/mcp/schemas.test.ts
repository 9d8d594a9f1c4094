import { expect, it } from "vitest";
import * as z from "zod/v4";
import { argumentProblem, files, object, shownSchema, textUpTo, whole } from "./schemas.ts";

const input = z.strictObject({
  query: textUpTo(200),
  content: files.optional().describe("Files"),
  n_results: z.number().int().min(1).max(50).optional(),
  outputs: object.optional(),
  phase: whole.optional(),
  resume: z.enum(["retry", "continue", "restart"]).optional(),
});

it.each([
  ["a value that is not a choice", { resume: "maybe" }, "resume: must be one of retry, continue, restart"],
  ["text for a number", { phase: "2" }, "phase: must be a number"],
  ["half a number", { phase: 1.5 }, "phase: must be a whole number"],
  ["a number for text", { query: 3 }, "query: must be text"],
  ["text for an object", { outputs: "a" }, "outputs: must be an object"],
  ["text for a list", { content: "a" }, "content: must be a list"],
  ["a number that is too large", { n_results: 99 }, "n_results: must be at most 50"],
  ["a text that is too long", { query: "a".repeat(201) }, "query: must be at most 200 characters"],
  ["nothing", { query: undefined }, "query is required"],
])("%s is answered with what is allowed", (_, given, said) => {
  const { error } = input.safeParse({ query: "a", ...given });
  expect(error && argumentProblem(error, input)).toBe(said);
});

it("clients see the names and types of arguments, not their limits", () => {
  expect(shownSchema(input)).toEqual({
    type: "object",
    properties: {
      query: { type: "string" },
      content: {
        type: "array",
        description: "Files",
        items: {
          type: "object",
          properties: { path: { type: "string" }, text: { type: "string" } },
          required: ["path"],
          additionalProperties: false,
        },
      },
      n_results: { type: "integer" },
      outputs: { type: "object" },
      phase: { type: "integer" },
      resume: { type: "string", enum: ["retry", "continue", "restart"] },
    },
    required: ["query"],
    additionalProperties: false,
  });
});
