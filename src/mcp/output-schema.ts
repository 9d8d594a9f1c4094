import type { Tool } from "@modelcontextprotocol/server";

type JsonSchema = NonNullable<Tool["outputSchema"]>[string];
type Properties = { readonly [name: string]: JsonSchema };

export const text = { type: "string" } as const;
export const textOrNull = { type: ["string", "null"] } as const;
export const integer = { type: "integer" } as const;
export const boolean = { type: "boolean" } as const;
export const object = { type: "object" } as const;
export const texts = list(text);

/** A list of these. */
export function list(items: JsonSchema): { readonly type: "array"; readonly items: JsonSchema } {
  return { type: "array", items };
}

/** An object with exactly these properties. */
export function closed(required: Properties, optional: Properties = {}): NonNullable<Tool["outputSchema"]> {
  return {
    type: "object",
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  } as NonNullable<Tool["outputSchema"]>;
}

/** The parts that the replies of several tools have. */
export const sharedReply = {
  kept: closed(
    { outputs: texts, content: list(closed({ path: text, bytes: integer })) },
    { more: closed({ outputs: integer, content: integer }) },
  ),
  attempt: text,
  saved: texts,
  standards: texts,
  checks: list(
    closed({ name: text, status: text, summary: text }, { exit: integer, seconds: { type: "number" }, output: text }),
  ),
  waiting_for: text,
  error: text,
  message: text,
  required_action: text,
};
