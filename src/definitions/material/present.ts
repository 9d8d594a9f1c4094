import type { PresentRequest } from "../../engine/ports.ts";
import { definitionsOf } from "../bots/place.ts";
import type { BotTree } from "../bots/tree.ts";
import { readText } from "../json-file.ts";
import { lineAt } from "../json-place.ts";
import { type Flaw, flawIn, type Remark } from "../problem.ts";
import type { Source } from "./found.ts";
import { readInstructions } from "./instructions.ts";
import { isMaterial, type MaterialName, materialFinder, materialsOf, type Section } from "./material.ts";
import { fillPlaceholders, type LookUp, type Unfilled } from "./placeholders.ts";

/** Writes what an assistant gets when it opens a step: instructions, material, and what earlier steps produced. */
export function presentStep(
  tree: BotTree,
  request: PresentRequest,
  values: Readonly<Record<string, string>> = {},
): { readonly text: string; readonly problems: readonly Flaw[] } {
  const { workflow, step } = request;
  const source = { tree, behavior: tree.behaviors.find(({ name }) => name === workflow) ?? { name: workflow } };
  const problems: Flaw[] = [];
  const material = materialFinder(source, request);
  const find = (name: MaterialName): Section => {
    const section = material(name);
    problems.push(...section.problems);
    return section;
  };
  const facts = new Map([...factsOf(tree, request), ...Object.entries(values)]);
  const placed = new Set<string>();
  const lookUp: LookUp = (name) => {
    if (!isMaterial(name)) return facts.get(name);
    placed.add(name); // what stands in the instructions is not said again below
    return find(name).text;
  };
  const written = readInstructions(source, step, problems);
  const told = request.brief === true ? written.filter(({ background }) => !background) : written;
  const instructions = told.map(({ text, path }) => {
    const { text: filled, unfilled } = fillPlaceholders(text, lookUp);
    problems.push(...unfilled.filter(({ name }) => !comesLater.includes(name)).map(flawOf(source, path)));
    return filled;
  });
  if (written.length === 0) {
    problems.push(withoutInstructions(source, step));
    instructions.push(`Do the work of ${step} for ${workflow}, then hand in what came of it.`);
  }
  const wanted = [...materialsOf(step), ...(request.violations === undefined ? [] : (["check_results"] as const))];
  const sections = wanted.filter((name) => !placed.has(name)).map(find);
  const shown = sections.filter(({ text }) => text !== "").map(({ title, text }) => `## ${title}\n${text}`);
  const once = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return { text: [...instructions, ...shown].join("\n\n"), problems: [...once.values()] };
}

/** Material that is made on the way: where there is none yet, nothing is wrong. */
const comesLater = ["previous_outputs", "check_results", "files_on_record"];

function flawOf({ tree, behavior }: Source, path: string): (unfilled: Unfilled) => Flaw {
  return ({ written, isKnown }) => {
    const text = readText(path) ?? "";
    const line = lineAt(text, Math.max(0, text.indexOf(written)));
    return { ...flawIn(definitionsOf(tree), path, isKnown ? empty(written, behavior.name) : unknown(written)), line };
  };
}

function unknown(written: string): Remark {
  return {
    code: "unknown-placeholder",
    message: `nothing is known for ${written}, so it is shown as it stands`,
    fix: "Use a name that Waymark fills in, or write it without the double braces.",
  };
}

function empty(written: string, behavior: string): Remark {
  return {
    code: "empty-placeholder",
    message: `${written} has nothing to stand for in ${behavior} and is shown as "(none)"`,
    fix: `Give ${behavior} what it stands for, or take it out.`,
  };
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

function withoutInstructions({ tree, behavior }: Source, step: string): Flaw {
  const action = tree.actions.find(({ name }) => name === step);
  return flawIn(definitionsOf(tree), action?.folder ?? behavior.folder ?? tree.folder, {
    code: "missing-instructions",
    message: `${step} has no instructions: write them into instructions.md`,
    fix: "Write instructions.md beside the action's config: what to do, and what to hand in.",
  });
}
