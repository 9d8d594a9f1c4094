import type { MaterialName } from "./material.ts";

/** The kind of work an action is, by common names; undefined for an author's own kind. */
export type ActionKind = "gather" | "decide" | "build" | "render" | "validate" | "correct" | "rules";

/** The kind of an action by its name. */
export function actionKindOf(action: string): ActionKind | undefined {
  return kinds.find(([, names]) => names.includes(action))?.[0];
}

/** The materials that a step shows, in order. */
export function materialsOf(step: string): readonly MaterialName[] {
  switch (actionKindOf(step)) {
    case "gather":
      return ["guardrails", "key_questions", "evidence", "previous_outputs"];
    case "decide":
      return ["decision_criteria", "assumptions", "human_activity", "previous_outputs"];
    case "build":
      return ["content", "knowledge_template", "previous_outputs"];
    case "render":
      return ["content", "templates", "synchronizers", "previous_outputs"];
    case "validate":
      return ["rules", "files_on_record"];
    case "rules":
      return ["rules"];
    case "correct":
      return ["corrections"];
    case undefined:
      return ["previous_outputs"];
  }
}

const kinds: readonly (readonly [ActionKind, readonly string[]])[] = [
  ["gather", ["gather_context", "gather", "clarify", "clarify_requirements"]],
  ["decide", ["decide_planning_criteria", "decide_strategy", "decide_criteria", "strategy", "planning"]],
  ["build", ["build_knowledge", "build"]],
  ["render", ["render_output", "render"]],
  ["validate", ["validate_rules", "validate"]],
  ["correct", ["correct_bot", "correct"]],
  ["rules", ["rules"]],
];
