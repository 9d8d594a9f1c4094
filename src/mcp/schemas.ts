import * as z from "zod/v4";
import { isObject, type JsonObject } from "../evidence/json.ts";
import { runName, runNameRule } from "../evidence/run-name.ts";
import type { TextForm } from "./bot-reply.ts";

const object = z.custom<JsonObject>(isObject, "must be an object");

const file = z.strictObject({ path: z.string(), text: z.string().optional() });
const fileKeys = Object.keys(file.shape);

/** Files that are handed in. */
const content = z.array(file).max(50);

/** A run's name, as it is kept. */
const run = z
  .string()
  .max(1000)
  .transform((written, { addIssue }) => {
    const name = runName(written);
    if (name === undefined) addIssue({ code: "custom", message: `must be ${runNameRule}` });
    return name;
  });

/** What a bot's or a behavior's tool takes. */
export const openArguments = z.strictObject({
  run: run.optional(),
  action: z.string().max(200).optional(),
  part: z.string().max(200).optional(),
  resume: z.enum(["retry", "continue", "restart"]).optional(),
  inputs: object.optional(),
  confirmation: z.string().max(10_000).optional(),
});

/** What `complete_action` takes. */
export const completeArguments = z.strictObject({
  outputs: object.optional(),
  content: content.optional(),
  evidence: object.optional(),
  confirmation: z.string().max(10_000).optional(),
  bot: z.string().max(200).optional(),
  run: run.optional(),
  behavior: z.string().max(200).optional(),
  action: z.string().max(200).optional(),
});

/** What a call was about, as far as that can be read of one that cannot be taken. */
export const aboutWhat = z.looseObject({
  bot: z.string().optional().catch(undefined),
  run: run.optional().catch(undefined),
  behavior: z.string().optional().catch(undefined),
  session_id: z.string().optional().catch(undefined),
});

const sessionId = z.string().max(200);
const whole = z.number().int().min(-1_000_000).max(1_000_000);

/** What the tools for phased workflows take. */
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
  }),
  get_workflow_state: z.strictObject({
    session_id: sessionId.optional(),
    phase: whole.optional(),
    page: whole.optional(),
  }),
};

/** What `search_standards` takes. */
export const searchArguments = z.strictObject({
  query: z.string().max(200_000),
  filter_phase: whole.optional(),
  filter_tags: z.array(z.string().max(200)).max(50).optional(),
  n_results: z.number().int().min(1).max(50).optional(),
  session_id: sessionId.optional(),
});

/** How a connection is answered, and whether its files lie where Waymark sees them. */
export type Door = { readonly form: TextForm; readonly seesFiles: boolean };

/** What is wrong with content that names files which only its sender sees. */
export function unseenFiles(
  seesFiles: boolean,
  content: readonly { readonly path: string; readonly text?: string | undefined }[] = [],
): string | undefined {
  const unseen = seesFiles ? undefined : content.find(({ text }) => text === undefined);
  if (unseen === undefined) return undefined;
  return `content: ${JSON.stringify(unseen.path.slice(0, 100))} has no text, and over HTTP Waymark does not see your files; send text with every path`;
}

/** Says in one line what is wrong with the arguments of a call, and of a name that is not known which ones are. */
export function argumentProblem({ issues }: z.ZodError, { shape }: { readonly shape: object }): string {
  return issues
    .slice(0, 5)
    .map((issue) => {
      const place = issue.path.length === 0 ? "arguments" : issue.path.join(".");
      if (issue.code !== "unrecognized_keys") return `${place}: ${issue.message}`;
      const known = issue.path.length === 0 ? Object.keys(shape) : fileKeys;
      const unknown = issue.keys.slice(0, 3).map((key) => JSON.stringify(key.slice(0, 40)));
      return `${place}: unknown ${unknown.join(", ")}; known are ${known.join(", ")}`;
    })
    .join("; ");
}
