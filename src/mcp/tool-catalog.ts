import type { Tool } from "@modelcontextprotocol/server";
import type { ServedBot } from "../engine/ports/definitions.ts";

/** The tool that completes an action. */
export const completeTool = "complete_action";

/** The tools of the served bots: one for each bot and behavior, and one to complete. */
export function listTools(bots: readonly ServedBot[]): Tool[] {
  if (bots.length === 0) return [];
  const opening = bots.flatMap((bot) => [
    {
      ...openTool(
        bot.tool,
        words(bot.name),
        `Begin or resume the ${words(bot.name)}: go to its current action. ${bot.description}`,
      ),
      ...loadedFirst,
    },
    ...bot.behaviors.map((behavior) =>
      openTool(
        behavior.tool,
        `${words(bot.name)}: ${words(behavior.name)}`,
        `Go to ${words(behavior.name)}. ${behavior.description}`,
      ),
    ),
  ]);
  return [...opening, { ...completeDefinition(), ...loadedFirst }];
}

/** Spells a name as words: hosts search descriptions by word, and an underscored name is one word to them. */
function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** Loads these tools from the start in Claude Code; it finds the others when they are named. */
const loadedFirst = { _meta: { "anthropic/alwaysLoad": true } };

function openTool(name: string, title: string, description: string): Tool {
  return {
    name,
    title,
    description: description.trim(),
    inputSchema: {
      type: "object",
      properties: {
        action: { type: "string" },
        part: { type: "string" },
        resume: { type: "string", enum: ["retry", "continue", "restart"] },
        inputs: { type: "object" },
        confirmation: { type: "string" },
        run: { type: "string" },
      },
      additionalProperties: false,
    },
    outputSchema,
    annotations: hints,
  };
}

function completeDefinition(): Tool {
  return {
    name: completeTool,
    title: "Complete the open action",
    description:
      "Complete the open action and submit its results. Replies with what comes next. Unless the action continues by itself, a person must approve first: pass their own words as confirmation. If it can't be done as asked, say why in blocked; never invent evidence or approval.",
    inputSchema: {
      type: "object",
      properties: {
        outputs: { type: "object", description: "Answers, decisions, results by name" },
        content: {
          type: "array",
          description: "Files to save in the project; without text, an existing file",
          items: {
            type: "object",
            properties: { path: { type: "string" }, text: { type: "string" } },
            required: ["path"],
            additionalProperties: false,
          },
        },
        evidence: { type: "object", description: "What the gate asks for" },
        confirmation: { type: "string", description: "The human's own words" },
        blocked: { type: "string" },
        bot: { type: "string" },
        run: { type: "string", description: "The run the action was opened with" },
        behavior: { type: "string" },
        action: { type: "string" },
      },
      additionalProperties: false,
    },
    outputSchema,
    annotations: hints,
  };
}

const hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };

/** The schema of `kept` in replies. */
export const kept = {
  type: "object",
  properties: {
    outputs: { type: "array", items: { type: "string" } },
    content: {
      type: "array",
      items: {
        type: "object",
        properties: { path: { type: "string" }, bytes: { type: "integer" } },
        required: ["path", "bytes"],
        additionalProperties: false,
      },
    },
    more: {
      type: "object",
      properties: { outputs: { type: "integer" }, content: { type: "integer" } },
      required: ["outputs", "content"],
      additionalProperties: false,
    },
  },
  required: ["outputs", "content"],
  additionalProperties: false,
} as const;

/** The schema of `saved` in replies. */
export const saved = { type: "array", items: { type: "string" } } as const;

/** The schema of `checks` in replies. */
export const checks = {
  type: "array",
  items: {
    type: "object",
    properties: {
      name: { type: "string" },
      status: { type: "string" },
      summary: { type: "string" },
      exit: { type: "integer" },
      seconds: { type: "number" },
      output: { type: "string" },
    },
    required: ["name", "status", "summary"],
    additionalProperties: false,
  },
} as const;

const outputSchema: NonNullable<Tool["outputSchema"]> = {
  type: "object",
  properties: {
    status: {
      type: "string",
      enum: [
        "started",
        "interrupted",
        "checking",
        "awaiting_human",
        "completed",
        "workflow_complete",
        "review",
        "refused",
      ],
    },
    bot: { type: ["string", "null"] },
    run: { type: "string" },
    behavior: { type: ["string", "null"] },
    action: { type: ["string", "null"] },
    instructions: { type: "string" },
    next: {
      anyOf: [
        {
          type: "object",
          properties: { action: { type: "string" }, tool: { type: "string" }, auto: { type: "boolean" } },
          required: ["action", "tool", "auto"],
          additionalProperties: false,
        },
        { type: "null" },
      ],
    },
    history: {
      type: "object",
      properties: {
        count: { type: "integer" },
        last: {
          type: "array",
          items: {
            type: "object",
            properties: { action: { type: "string" }, at: { type: "string" } },
            required: ["action", "at"],
            additionalProperties: false,
          },
        },
      },
      required: ["count", "last"],
      additionalProperties: false,
    },
    warnings: { type: "array", items: { type: "string" } },
    error: { type: "string" },
    message: { type: "string" },
    required_action: { type: "string" },
    missing_evidence: { type: "array", items: { type: "string" } },
    kept,
    saved,
    checks,
  },
  required: ["status", "bot", "behavior", "action", "instructions", "next", "history", "warnings"],
  additionalProperties: false,
};
