import type { Tool } from "@modelcontextprotocol/server";
import type * as z from "zod/v4";
import type { CallerContext } from "../engine/caller.ts";
import type { WorkflowListing } from "../engine/ports/phased.ts";
import type { Workplace } from "../engine/workplace.ts";
import { defined } from "../kit/defined.ts";
import type { RefusalMessage } from "../messages/refusal-codes.ts";
import type { KeptSubmission } from "../messages/worded-reply.ts";
import type { ReplyForm } from "./bot-reply.ts";
import type { CallResult } from "./call-result.ts";
import type { UsedRuns } from "./find-run.ts";
import { clip } from "./fit.ts";
import { argumentProblem, missingTextProblem, shownSchema } from "./schemas.ts";

/** A call of a tool, with what is known of its connection. */
export type ToolCall = {
  readonly workplace: Pick<Workplace, "bots" | "engine" | "runHere" | "sessions" | "standards">;
  readonly caller: CallerContext;
  readonly given: unknown;
  readonly form: ReplyForm;
  /** If Waymark sees the caller's files. */
  readonly seesFiles: boolean;
  /** The runs the connection has used. */
  readonly uses: UsedRuns;
  /** The default run of each bot at the connection's last call. */
  readonly unnamed: Map<string, string | undefined>;
};

/** Tools whose replies have the same shape. */
export type ToolFamily = {
  readonly replies: NonNullable<Tool["outputSchema"]>;
  refuse(no: RefusedCall, form: ReplyForm): CallResult;
};

export type RefusedCall = RefusalMessage & { readonly kept?: KeptSubmission };

/** The use of a tool: to work on a step, to view content on record, or only to read, which every role may. */
export type ToolUse = "work" | "view" | "read";

type ToolDefinition<Input extends z.ZodObject> = {
  readonly title: string;
  readonly description: string | ((workflows: readonly WorkflowListing[]) => string);
  readonly input: Input;
  readonly use: ToolUse;
  /** Claude Code loads such a tool from the start; it finds the others when they are named. */
  readonly isLoadedFirst?: boolean;
  readonly family: ToolFamily;
  call(args: z.output<Input>, call: ToolCall): Promise<CallResult>;
  /** Finds what is already kept at the step of a call whose arguments are not accepted. */
  keptBefore?(call: ToolCall): Promise<KeptSubmission>;
};

/** A tool as the registry has it. */
export type RegisteredTool = Pick<ToolDefinition<z.ZodObject>, "family" | "use"> & {
  show(name: string, workflows?: readonly WorkflowListing[]): Tool;
  /** Parses the arguments of a call and carries it out. */
  handle(call: ToolCall): Promise<CallResult>;
};

/** Makes a tool of its one definition. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): RegisteredTool {
  const { title, description, input, use, isLoadedFirst, family, call: carryOut, keptBefore } = definition;
  return {
    family,
    use,
    show: (name, workflows = []) => ({
      name,
      title,
      description: typeof description === "string" ? description : description(workflows),
      inputSchema: shownSchema(input),
      outputSchema: family.replies,
      annotations: {
        readOnlyHint: use === "read",
        destructiveHint: false,
        idempotentHint: use !== "work",
        openWorldHint: false,
      },
      ...(isLoadedFirst === true ? { _meta: { "anthropic/alwaysLoad": true } } : {}),
    }),
    async handle(call) {
      const parsed = input.safeParse(call.given);
      const problem = parsed.success
        ? call.seesFiles
          ? undefined
          : missingTextProblem(parsed.data)
        : argumentProblem(parsed.error, input);
      if (parsed.success && problem === undefined) return carryOut(parsed.data, call);
      const no = defined({ ...invalidArguments(problem ?? ""), kept: await keptBefore?.(call) });
      return family.refuse(no, call.form);
    },
  };
}

/** Says that a call was not accepted as it was written. */
export function invalidArguments(problem: string): RefusalMessage {
  return {
    error: "invalid_input",
    message: clip(`Not accepted: ${problem}.`, 300),
    required_action: "Correct the arguments and call again; nothing has changed.",
  };
}
