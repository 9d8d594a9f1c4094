import * as z from "zod/v4";
import { isObject, type JsonObject } from "../kit/json.ts";
import { runName, runNameRule } from "../workflow/run-name.ts";
import type { ReplyForm } from "./bot-reply.ts";

const object = z.custom<JsonObject>(isObject, "must be an object");

const file = z.strictObject({ path: z.string(), text: z.string().optional() });
const fileKeys = Object.keys(file.shape);

/** Submitted files. */
const content = z.array(file).max(50);

/** A run's name, normalized. */
const run = z
  .string()
  .max(1000)
  .transform((written, { addIssue }) => {
    const name = runName(written);
    if (name === undefined) addIssue({ code: "custom", message: `must be ${runNameRule}` });
    return name;
  });

/** The arguments of a bot's or behavior's tool. */
export const openArguments = z.strictObject({
  run: run.optional(),
  action: z.string().max(200).optional(),
  part: z.string().max(200).optional(),
  resume: z.enum(["retry", "continue", "restart"]).optional(),
  inputs: object.optional(),
  confirmation: z.string().max(10_000).optional(),
});

/** The arguments of `complete_action`. */
export const completeArguments = z.strictObject({
  outputs: object.optional(),
  content: content.optional(),
  evidence: object.optional(),
  confirmation: z.string().max(10_000).optional(),
  blocked: z.string().optional(),
  bot: z.string().max(200).optional(),
  run: run.optional(),
  behavior: z.string().max(200).optional(),
  action: z.string().max(200).optional(),
});

/** The names in a call that failed to parse, as far as they can be read. */
export const readableNames = z.looseObject({
  bot: z.string().optional().catch(undefined),
  run: run.optional().catch(undefined),
  behavior: z.string().optional().catch(undefined),
  session_id: z.string().optional().catch(undefined),
});

const sessionId = z.string().max(200);
const whole = z.number().int().min(-1_000_000).max(1_000_000);

/** The arguments of the phase tools. */
export const phaseArguments = {
  start_workflow: z.strictObject({
    workflow_type: z.string().max(200),
    target_file: z.string().max(1000).optional(),
    options: object.optional(),
  }),
  get_phase_content: z.strictObject({
    session_id: sessionId,
    requested_phase: whole.optional(),
    task: whole.optional(),
  }),
  complete_phase: z.strictObject({
    session_id: sessionId,
    phase: whole,
    evidence: object.optional(),
    outputs: object.optional(),
    content: content.optional(),
    confirmation: z.string().max(10_000).optional(),
    blocked: z.string().optional(),
  }),
  get_workflow_state: z.strictObject({
    session_id: sessionId.optional(),
    phase: whole.optional(),
    page: whole.optional(),
  }),
};

/** The arguments of `search_standards`. */
export const searchArguments = z.strictObject({
  query: z.string().max(200_000),
  filter_phase: whole.optional(),
  filter_tags: z.array(z.string().max(200)).max(50).optional(),
  n_results: z.number().int().min(1).max(50).optional(),
  session_id: sessionId.optional(),
});

/** The form of replies on a connection, and if Waymark sees its files. */
export type ConnectionTraits = { readonly form: ReplyForm; readonly seesFiles: boolean };

/** Refuses content without text from a caller whose files Waymark does not see. */
export function missingTextProblem(
  seesFiles: boolean,
  content: readonly { readonly path: string; readonly text?: string | undefined }[] = [],
): string | undefined {
  const unseen = seesFiles ? undefined : content.find(({ text }) => text === undefined);
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
      const known = issue.path.length === 0 ? Object.keys(shape) : fileKeys;
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
