import type { PresentRequest } from "../../engine/ports.ts";
import { findAssumptions, findCriteria } from "./criteria.ts";
import type { Found, Source } from "./found.ts";
import { previousOutputs } from "./previous-outputs.ts";
import { findEvidence, findQuestions } from "./questions.ts";
import { correctionHelp, findRules } from "./rules-shown.ts";
import { findKnowledgeTemplates, findRenderTemplates } from "./templates.ts";

/** Everything that a step can show besides its instructions, by the name that a placeholder uses for it. */
export type MaterialName =
  | "key_questions"
  | "evidence"
  | "decision_criteria"
  | "assumptions"
  | "knowledge_template"
  | "templates"
  | "rules"
  | "corrections"
  | "previous_outputs";

type Material = { readonly title: string; find(source: Source, request: PresentRequest): Found };

const materials: Readonly<Record<MaterialName, Material>> = {
  key_questions: { title: "Key questions", find: findQuestions },
  evidence: { title: "Evidence wanted", find: findEvidence },
  decision_criteria: { title: "Criteria to decide", find: findCriteria },
  assumptions: { title: "Typical assumptions", find: findAssumptions },
  knowledge_template: { title: "Build it to this template", find: findKnowledgeTemplates },
  templates: { title: "Templates to fill", find: findRenderTemplates },
  rules: { title: "Rules", find: findRules },
  corrections: { title: "Handing in a correction", find: correctionHelp },
  previous_outputs: {
    title: "What earlier actions produced",
    find: (_, request) => ({ text: previousOutputs(request), warnings: [] }),
  },
};

/** Tells the name of a material from any other. */
export function isMaterial(name: string): name is MaterialName {
  return Object.hasOwn(materials, name);
}

/** The materials that belong to a step, in the order in which they are shown. */
export function materialsOf(step: string): readonly MaterialName[] {
  switch (step) {
    case "gather_context":
      return ["key_questions", "evidence", "previous_outputs"];
    case "decide_planning_criteria":
      return ["decision_criteria", "assumptions", "previous_outputs"];
    case "build_knowledge":
      return ["knowledge_template", "previous_outputs"];
    case "render_output":
      return ["templates", "previous_outputs"];
    case "validate_rules":
      return ["rules", "previous_outputs"];
    case "correct_bot":
      return ["corrections"];
    default:
      return ["previous_outputs"];
  }
}

/** Finds a material as a section of the text; its text is empty where there is none. */
export function findMaterial(name: MaterialName, source: Source, request: PresentRequest): Found & { title: string } {
  const { title, find } = materials[name];
  return { title, ...find(source, request) };
}
