import { expect, it } from "vitest";
import { argumentProblem, completeArguments, openArguments, phaseArguments, searchArguments } from "./schemas.ts";

it.each([
  [
    "a value that is not a choice",
    openArguments,
    { resume: "maybe" },
    "resume: must be one of retry, continue, restart",
  ],
  ["text for a number", phaseArguments.complete_phase, { session_id: "a", phase: "2" }, "phase: must be a number"],
  ["half a number", phaseArguments.complete_phase, { session_id: "a", phase: 1.5 }, "phase: must be a whole number"],
  ["a number for text", openArguments, { action: 3 }, "action: must be text"],
  ["text for an object", completeArguments, { outputs: "a" }, "outputs: must be an object"],
  ["text for a list", completeArguments, { content: "a" }, "content: must be a list"],
  ["a number that is too large", searchArguments, { query: "a", n_results: 99 }, "n_results: must be at most 50"],
  ["a text that is too long", openArguments, { action: "a".repeat(201) }, "action: must be at most 200 characters"],
  ["nothing", searchArguments, {}, "query is required"],
])("%s is answered with what is allowed", (_, schema, given, said) => {
  const { error } = schema.safeParse(given);
  expect(error && argumentProblem(error, schema)).toBe(said);
});
