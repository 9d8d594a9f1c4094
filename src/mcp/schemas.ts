import * as z from "zod/v4";
import { isObject, type JsonObject } from "../kit/json.ts";
import { runName, runNameRule } from "../workflow/run-name.ts";

/** A text of at most this many characters. */
export const textUpTo = (max: number): z.ZodString => z.string().max(max);

/** Any JSON object. */
export const object = z.custom<JsonObject>(isObject, "must be an object").meta({ type: "object" });

/** A person's own words. */
export const confirmation = textUpTo(10_000);

/** The id of a session. */
export const sessionId = textUpTo(200);

/** A whole number, such as that of a phase. */
export const whole = z.number().int().min(-1_000_000).max(1_000_000);

const file = z.strictObject({ path: z.string(), text: z.string().optional() });

/** Submitted files. */
export const files = z.array(file).max(50);

/** The short id of an attempt. */
export const attempt = textUpTo(100);

/** A run's name, normalized. */
export const run = textUpTo(1000).transform((written, { addIssue }) => {
  const name = runName(written);
  if (name === undefined) addIssue({ code: "custom", message: `must be ${runNameRule}` });
  return name;
});

/** The names in a call that failed to parse, as far as they can be read. */
export const readableNames = z.looseObject({
  bot: z.string().optional().catch(undefined),
  run: run.optional().catch(undefined),
  behavior: z.string().optional().catch(undefined),
  session_id: z.string().optional().catch(undefined),
});

/** The JSON Schema that clients see of some arguments: without limits, which cost tokens and are said when they are passed. */
export function shownSchema(input: z.ZodObject): { readonly type: "object" } & JsonObject {
  const { $schema, ...shown } = z.toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
    override({ jsonSchema }) {
      for (const limit of ["maxLength", "maxItems", "minimum", "maximum"] as const) delete jsonSchema[limit];
    },
  });
  return { ...shown, type: "object" } as never;
}

/** Says why submitted files cannot be taken from a caller whose files Waymark does not see: one has no text. */
export function missingTextProblem({ content }: { readonly content?: unknown }): string | undefined {
  const given = files.safeParse(content ?? []).data ?? [];
  const unseen = given.find(({ text }) => text === undefined);
  if (unseen === undefined) return undefined;
  return `content: ${JSON.stringify(unseen.path.slice(0, 100))} has no text, and over HTTP Waymark does not see your files; send text with every path`;
}

/** Describes invalid arguments in one line, with the known names for an unknown one. */
export function argumentProblem({ issues }: z.ZodError, { shape }: { readonly shape: object }): string {
  return issues
    .slice(0, 5)
    .map((issue) => {
      const place = issue.path.length === 0 ? "arguments" : issue.path.join(".");
      if (issue.code === "invalid_type" && issue.message.endsWith("received undefined")) return `${place} is required`;
      if (issue.code !== "unrecognized_keys") return `${place}: ${valueProblem(issue)}`;
      const known = Object.keys(issue.path.length === 0 ? shape : file.shape);
      const unknown = issue.keys.slice(0, 3).map((key) => JSON.stringify(key.slice(0, 40)));
      return `${place}: unknown ${unknown.join(", ")}; use ${known.join(", ")}`;
    })
    .join("; ");
}

/** Says what a value must be, in our words; the schema library has its own. */
function valueProblem(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_big":
      return `must be at most ${issue.maximum}${units[issue.origin] ?? ""}`;
    case "too_small":
      return `must be at least ${issue.minimum}${units[issue.origin] ?? ""}`;
    default:
      return issue.message;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  array: "a list",
  int: "a whole number",
  number: "a number",
  object: "an object",
  string: "text",
};

const units: Readonly<Record<string, string>> = { array: " entries", string: " characters" };
