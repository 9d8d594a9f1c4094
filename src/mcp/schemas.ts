import * as z from "zod/v4";
import { isObject, type JsonObject } from "../workflow/json.ts";

const object = z.custom<JsonObject>(isObject, "must be an object");

/** What a bot's or a behavior's tool takes. */
export const openArguments = z.strictObject({
  action: z.string().max(200).optional(),
  resume: z.enum(["retry", "continue", "restart"]).optional(),
  inputs: object.optional(),
});

/** What `complete_action` takes. */
export const completeArguments = z.strictObject({
  outputs: object.optional(),
  content: z
    .array(z.strictObject({ path: z.string(), text: z.string().optional() }))
    .max(50)
    .optional(),
  evidence: object.optional(),
  confirmation: z.string().max(10_000).optional(),
  bot: z.string().max(200).optional(),
  behavior: z.string().max(200).optional(),
  action: z.string().max(200).optional(),
});

/** Says in one line what is wrong with the arguments of a call. */
export function argumentProblem(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length === 0 ? "arguments" : path.join(".")}: ${message}`)
    .join("; ");
}
