import type { PresentRequest } from "../../engine/ports/definitions.ts";
import { loadRules } from "../rules/load-rules.ts";
import { findPlanning } from "./criteria.ts";
import type { MaterialFound, MaterialSource } from "./material-source.ts";
import { filesOnRecord, previousOutputs } from "./previous-outputs.ts";
import { findContext, findGuardrails } from "./questions.ts";
import { showCorrections, showResults, showRules } from "./show-rules.ts";
import { findContent, findKnowledgeTemplates, findRenderTemplates, findSynchronizers } from "./templates.ts";

/** The materials a step can show besides its instructions, by placeholder name. */
export type MaterialName = keyof typeof titles;

const titles = {
  guardrails: "Guardrails",
  key_questions: "Key questions",
  evidence: "Evidence to collect",
  decision_criteria: "Decisions to make",
  assumptions: "Typical assumptions",
  human_activity: "What people should do",
  content: "About the content",
  knowledge_template: "Use this template",
  templates: "Templates to fill",
  synchronizers: "Keep in sync",
  rules: "Rules",
  corrections: "Submitting a correction",
  check_results: "Checked by Waymark",
  previous_outputs: "What earlier actions produced",
  files_on_record: "Files on record",
} as const;

/** Other names that authors use for a material. */
const aliases: Readonly<Record<string, MaterialName>> = {
  questions: "key_questions",
  required_context: "key_questions",
  required_evidence: "evidence",
  criteria: "decision_criteria",
  planning_criteria: "decision_criteria",
  strategy_criteria: "decision_criteria",
  typical_assumptions: "assumptions",
  recommended_human_activity: "human_activity",
  recommended_activity: "human_activity",
  schema: "knowledge_template",
  build_config: "knowledge_template",
  build_configs: "knowledge_template",
  knowledge_graph: "knowledge_template",
  knowledge_graph_template: "knowledge_template",
  story_graph: "knowledge_template",
  template: "templates",
  render_config: "templates",
  render_configs: "templates",
  render_templates: "templates",
  synchronize_configs: "synchronizers",
  synchronize: "synchronizers",
};

/** The material a placeholder means, or undefined. */
export function materialNamed(name: string): MaterialName | undefined {
  if (isMaterial(name)) return name;
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined;
}

function isMaterial(name: string): name is MaterialName {
  return Object.hasOwn(titles, name);
}

/** A material with its heading. */
export type FoundMaterial = MaterialFound & { readonly title: string };

/** Creates the finder of one step's material; each file is read once, when first needed. */
export function materialFinder(source: MaterialSource, request: PresentRequest): (name: MaterialName) => FoundMaterial {
  const context = once(() => findContext(source));
  const planning = once(() => findPlanning(source));
  const rules = once(() => loadRules(source.tree, source.behavior));
  const find = (name: MaterialName): MaterialFound => {
    switch (name) {
      case "guardrails":
        return findGuardrails(source);
      case "key_questions":
        return context().questions;
      case "evidence":
        return context().evidence;
      case "decision_criteria":
        return planning().criteria;
      case "assumptions":
        return planning().assumptions;
      case "human_activity":
        return planning().activity;
      case "content":
        return findContent(source);
      case "knowledge_template":
        return findKnowledgeTemplates(source);
      case "templates":
        return findRenderTemplates(source);
      case "synchronizers":
        return findSynchronizers(source);
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
