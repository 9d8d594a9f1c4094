import { dirname, join } from "node:path";
import type { PresentRequest } from "../../engine/ports.ts";
import { definitionsOf } from "../bots/place.ts";
import type { BotTree } from "../bots/tree.ts";
import { readText } from "../json-file.ts";
import { didYouMean } from "../near-miss.ts";
import { type Flaw, flawIn } from "../problem.ts";
import { isInside } from "../rules/inside.ts";
import type { Lead, Source } from "./found.ts";
import { readInstructions } from "./instructions.ts";
import { materialsOf } from "./kinds.ts";
import { type FoundMaterial, type MaterialName, materialFinder, materialNamed } from "./material.ts";
import { arrange, joined, mark, type Part, pageOf, type Section } from "./pieces.ts";
import { fillPlaceholders, type LookUp } from "./placeholders.ts";
import { comesLater, unfilledFlaw } from "./unfilled.ts";

/** What an assistant gets, the parts that it can ask for besides, and what the author should know. */
export type PresentedStep = {
  readonly text: string;
  readonly parts: readonly Part[];
  readonly problems: readonly Flaw[];
};

/** What is shown at once; the rest is listed, and shown part by part. */
const mostAtOnce = 8_000;
const leastForMaterial = 2_000;
const mostInAText = 6_000;

/** Writes what an assistant gets when it opens a step: instructions, material, and what earlier steps produced; or one part of it. */
export function presentStep(
  tree: BotTree,
  request: PresentRequest,
  values: Readonly<Record<string, string>> = {},
): PresentedStep {
  const { workflow, step, part } = request;
  const source = { tree, behavior: tree.behaviors.find(({ name }) => name === workflow) ?? { name: workflow } };
  const writer = stepWriter(source, request, values);
  const told = writer.instructions();
  const wanted = [...materialsOf(step), ...(request.violations === undefined ? [] : (["check_results"] as const))];
  const sections = wanted.filter((name) => !writer.placed.has(name)).map(writer.section);
  if (part !== undefined)
    return { text: onePart(step, part, [...writer.inTexts, ...sections]), parts: [], problems: [] };
  const room = Math.max(leastForMaterial, mostAtOnce - told.length);
  const { text, parts } = arrange(sections, room);
  const once = new Map(writer.problems.map((problem) => [JSON.stringify(problem), problem]));
  return {
    text: [told, text].filter((one) => one !== "").join("\n\n"),
    parts: [...writer.parts, ...parts],
    problems: [...once.values()],
  };
}

function stepWriter(source: Source, request: PresentRequest, values: Readonly<Record<string, string>>) {
  const { tree } = source;
  const problems: Flaw[] = [];
  const parts: Part[] = [];
  const placed = new Set<MaterialName>();
  const inTexts: Section[] = [];
  const finder = materialFinder(source, request);
  const facts = factsOf(tree, request, values);
  const find = (name: MaterialName): FoundMaterial => {
    const found = finder(name);
    problems.push(...found.problems);
    return found;
  };
  const fill = ({ text, path }: Lead, lookUp: LookUp): string => {
    const { text: filled, unfilled } = fillPlaceholders(text, lookUp, (file) => readBeside(tree, path, file));
    problems.push(...unfilled.filter((one) => !comesLater(one)).map((one) => unfilledFlaw(source, path, one)));
    return filled;
  };
  const section = (name: MaterialName): Section => {
    const { title, leads = [], pieces } = find(name);
    const lookUp: LookUp = (asked) => {
      const other = materialNamed(asked);
      if (other === undefined) return facts.get(asked);
      return other === name ? (pieces.length === 0 ? "" : mark) : joined(find(other).pieces);
    };
    return { title, lead: leads.map((lead) => fill(lead, lookUp)).join("\n"), pieces };
  };
  /** Material that stands in the instructions is not said again below; long material is listed there. */
  const inText: LookUp = (asked) => {
    const name = materialNamed(asked);
    if (name === undefined) return facts.get(asked);
    const whole = { ...section(name), title: "" };
    if (!placed.has(name)) inTexts.push(whole);
    placed.add(name);
    const shown = arrange([whole], mostInAText);
    parts.push(...shown.parts);
    return shown.text;
  };
  const instructions = (): string => {
    const all = readInstructions(source, request.step, problems);
    const texts = all.filter(({ isBackground }) => !(isBackground && request.brief)).map((lead) => fill(lead, inText));
    if (all.some(({ isBackground }) => !isBackground)) return texts.join("\n\n");
    if (all.length === 0) problems.push(withoutInstructions(source, request.step));
    const work = `Do the work of ${request.step} for ${request.workflow}, then hand in what came of it.`;
    return [work, ...texts].join("\n\n");
  };
  return { problems, parts, placed, inTexts, section, instructions };
}

function onePart(step: string, part: string, sections: readonly Section[]): string {
  const pieces = sections.flatMap((section) => section.pieces);
  const names = pieces.map(({ name }) => name);
  const shown = pageOf(pieces, part);
  if (shown !== undefined) return shown;
  const known = names.length === 0 ? "it has none" : `its parts are ${names.join(", ")}`;
  return `${step} has no part ${JSON.stringify(part)}; ${known}${didYouMean(part, names)}`;
}

/** A file beside the one that names it; none from outside the definitions. */
function readBeside(tree: BotTree, path: string, file: string): string | undefined {
  const beside = join(dirname(path), file);
  const text = readText(beside);
  return text !== undefined && isInside(definitionsOf(tree), beside) ? text : undefined;
}

function factsOf(
  tree: BotTree,
  { workflow, step }: PresentRequest,
  values: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  return new Map([
    ["bot", tree.name],
    ["bot_name", tree.name],
    ["behavior", workflow],
    ["behavior_name", workflow],
    ["action", step],
    ["action_name", step],
    ["goal", tree.goal ?? ""],
    ["description", tree.description ?? ""],
    ...(values.project_area === undefined ? [] : [["workspace", values.project_area] as const]),
    ...Object.entries(values),
  ]);
}

function withoutInstructions({ tree, behavior }: Source, step: string): Flaw {
  const action = tree.actions.find(({ name }) => name === step);
  return flawIn(definitionsOf(tree), action?.folder ?? behavior.folder ?? tree.folder, {
    code: "missing-instructions",
    message: `${step} has no instructions: write them into instructions.md`,
    fix: "Write instructions.md beside the action's config: what to do, and what to hand in.",
  });
}
