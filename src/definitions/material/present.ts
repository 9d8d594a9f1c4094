import type { Presented, PresentRequest } from "../../engine/ports.ts";
import type { BotTree } from "../bots/tree.ts";
import { type Source, shownPath } from "./found.ts";
import { readInstructions } from "./instructions.ts";
import { findMaterial, isMaterial, type MaterialName, materialsOf } from "./material.ts";
import { fillPlaceholders, type LookUp } from "./placeholders.ts";
import { checkResults } from "./rules-shown.ts";

/** Writes what an assistant gets when it opens a step: instructions, material, and what earlier steps produced. */
export function presentStep(
  tree: BotTree,
  request: PresentRequest,
  values: Readonly<Record<string, string>> = {},
): Presented {
  const { workflow, step } = request;
  const source = { tree, behavior: tree.behaviors.find(({ name }) => name === workflow) ?? { name: workflow } };
  const warnings: string[] = [];
  const find = (name: MaterialName): { title: string; text: string } => {
    const found = findMaterial(name, source, request);
    warnings.push(...found.warnings);
    return found;
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
  const sections = materialsOf(step)
    .filter((name) => !placed.has(name))
    .map(find);
  if (request.violations !== undefined) sections.push(checkResults(source, request.violations));
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
