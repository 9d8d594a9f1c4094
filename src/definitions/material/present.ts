import type { Presented, PresentRequest } from "../../engine/ports.ts";
import type { BotTree } from "../bots/tree.ts";
import { type Source, shownPath } from "./found.ts";
import { readInstructions } from "./instructions.ts";
import { isMaterial, type MaterialName, materialFinder, materialsOf, type Section } from "./material.ts";
import { fillPlaceholders, type LookUp } from "./placeholders.ts";

/** Writes what an assistant gets when it opens a step: instructions, material, and what earlier steps produced. */
export function presentStep(
  tree: BotTree,
  request: PresentRequest,
  values: Readonly<Record<string, string>> = {},
): Presented {
  const { workflow, step } = request;
  const source = { tree, behavior: tree.behaviors.find(({ name }) => name === workflow) ?? { name: workflow } };
  const warnings: string[] = [];
  const material = materialFinder(source, request);
  const find = (name: MaterialName): Section => {
    const section = material(name);
    warnings.push(...section.warnings);
    return section;
  };
  const facts = new Map([...factsOf(tree, request), ...Object.entries(values)]);
  const placed = new Set<string>();
  const lookUp: LookUp = (name) => {
    if (!isMaterial(name)) return facts.get(name);
    placed.add(name); // what stands in the instructions is not said again below
    return find(name).text;
  };
  const instructions = readInstructions(source, step, warnings).map(({ text, file }) => {
    const filled = fillPlaceholders(text, file, lookUp);
    warnings.push(...filled.warnings);
    return filled.text;
  });
  if (instructions.length === 0) {
    warnings.push(`${step} has no instructions: write them into ${placeForInstructions(source, step)}.`);
    instructions.push(`Do the work of ${step} for ${workflow}, then hand in what came of it.`);
  }
  const wanted = [...materialsOf(step), ...(request.violations === undefined ? [] : (["check_results"] as const))];
  const sections = wanted.filter((name) => !placed.has(name)).map(find);
  const shown = sections.filter(({ text }) => text !== "").map(({ title, text }) => `## ${title}\n${text}`);
  return { text: [...instructions, ...shown].join("\n\n"), warnings: [...new Set(warnings)] };
}

function factsOf(tree: BotTree, { workflow, step }: PresentRequest): [string, string][] {
  return [
    ["bot", tree.name],
    ["bot_name", tree.name],
    ["behavior", workflow],
    ["behavior_name", workflow],
    ["action", step],
    ["action_name", step],
    ["goal", tree.goal ?? ""],
    ["description", tree.description ?? ""],
  ];
}

function placeForInstructions(source: Source, step: string): string {
  const action = source.tree.actions.find(({ name }) => name === step);
  return `${shownPath(source, action?.folder ?? source.behavior.folder ?? source.tree.folder)}/instructions.md`;
}
