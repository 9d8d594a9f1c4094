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

/** Creates the finder of one step's material; what only files decide is found once in a snapshot. */
export function materialFinder(source: MaterialSource, request: PresentRequest): (name: MaterialName) => FoundMaterial {
  const { definitions, tree, behavior } = source;
  const once = <T>(what: string, make: () => T): T =>
    definitions.derived(`shown ${what} of ${tree.name} ${behavior.name}`, make);
  const context = () => once("context", () => findContext(source));
  const planning = () => once("planning", () => findPlanning(source));
  const rules = () => once("loaded rules", () => loadRules(tree, behavior));
  const find = (name: MaterialName): MaterialFound => {
    switch (name) {
      case "guardrails":
        return once(name, () => findGuardrails(source));
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
        return once(name, () => findContent(source));
      case "knowledge_template":
        return once(name, () => findKnowledgeTemplates(source));
      case "templates":
        return once(name, () => findRenderTemplates(source));
      case "synchronizers":
        return once(name, () => findSynchronizers(source));
      case "rules":
        return once(name, () => showRules(rules()));
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
