import type { PresentRequest } from "../../engine/ports.ts";
import { loadRules } from "../rules/load-rules.ts";
import { findPlanning } from "./criteria.ts";
import type { Found, Source } from "./found.ts";
import { filesOnRecord, previousOutputs } from "./previous-outputs.ts";
import { findContext } from "./questions.ts";
import { showCorrections, showResults, showRules } from "./rules-shown.ts";
import { findKnowledgeTemplates, findRenderTemplates } from "./templates.ts";

/** Everything that a step can show besides its instructions, by the name that a placeholder uses for it. */
export type MaterialName = keyof typeof titles;

const titles = {
  key_questions: "Key questions",
  evidence: "Evidence wanted",
  decision_criteria: "Criteria to decide",
  assumptions: "Typical assumptions",
  knowledge_template: "Build it to this template",
  templates: "Templates to fill",
  rules: "Rules",
  corrections: "Handing in a correction",
  check_results: "Checked by Waymark",
  previous_outputs: "What earlier actions produced",
  files_on_record: "Files on record",
} as const;

/** Tells the name of a material from any other. */
export function isMaterial(name: string): name is MaterialName {
  return Object.hasOwn(titles, name);
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
      return ["rules", "files_on_record"];
    case "correct_bot":
      return ["corrections"];
    default:
      return ["previous_outputs"];
  }
}

/** A material as a section of the text; its text is empty where there is none. */
export type Section = Found & { readonly title: string };

/** Makes the finder of one step's material; files are read when a material is first wanted, and once. */
export function materialFinder(source: Source, request: PresentRequest): (name: MaterialName) => Section {
  const context = once(() => findContext(source));
  const planning = once(() => findPlanning(source));
  const rules = once(() => loadRules(source.tree, source.behavior));
  const find = (name: MaterialName): Found => {
    switch (name) {
      case "key_questions":
        return context().questions;
      case "evidence":
        return context().evidence;
      case "decision_criteria":
        return planning().criteria;
      case "assumptions":
        return planning().assumptions;
      case "knowledge_template":
        return findKnowledgeTemplates(source);
      case "templates":
        return findRenderTemplates(source);
      case "rules":
        return showRules(rules());
      case "corrections":
        return showCorrections(source, rules());
      case "check_results":
        return showResults(rules(), request.violations);
      case "previous_outputs":
        return previousOutputs(request);
      case "files_on_record":
        return filesOnRecord(request);
    }
  };
  return (name) => ({ title: titles[name], ...find(name) });
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
