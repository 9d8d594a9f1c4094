import { dirname, join } from "node:path";
import type { PresentRequest } from "../../engine/ports/definitions.ts";
import type { BotTree } from "../bots/tree.ts";
import { readText } from "../files/json-file.ts";
import { didYouMean } from "../files/near-miss.ts";
import { type LoaderProblem, locateProblem } from "../loader-problem.ts";
import { materialsOf } from "./action-kinds.ts";
import { readInstructions } from "./instructions.ts";
import { type FoundMaterial, type MaterialName, materialFinder, materialNamed } from "./material.ts";
import { joinPieces, layOutSections, pageOf, piecesMark, type Section, type ShownPart } from "./material-pieces.ts";
import type { LeadText, MaterialSource } from "./material-source.ts";
import { fillPlaceholders, type LookUp } from "./placeholders.ts";
import { isFilledLater, unfilledProblem } from "./unfilled-placeholders.ts";

/** The text for the assistant, the parts it can ask for, and problems for the author. */
export type PresentedStep = {
  readonly text: string;
  readonly parts: readonly ShownPart[];
  readonly problems: readonly LoaderProblem[];
};

/** The number of characters shown at once; the rest is listed and shown part by part. */
const mostAtOnce = 8_000;
const leastForMaterial = 2_000;
const mostInAText = 6_000;

/** Writes what an assistant gets when it opens a step: instructions, material and earlier outputs; or one part of it. */
export function presentStep(
  tree: BotTree,
  request: PresentRequest,
  values: Readonly<Record<string, string>> = {},
): PresentedStep {
  const { workflow, step, part } = request;
  const source = {
    definitions: tree.definitions,
    tree,
    behavior: tree.behaviors.find(({ name }) => name === workflow) ?? { name: workflow },
  };
  const writer = stepWriter(source, request, values);
  const instructions = writer.instructions();
  const wanted = [...materialsOf(step), ...(request.violations === undefined ? [] : (["check_results"] as const))];
  const sections = wanted.filter((name) => !writer.placed.has(name)).map(writer.section);
  if (part !== undefined)
    return { text: onePart(step, part, [...writer.inTexts, ...sections]), parts: [], problems: [] };
  const room = Math.max(leastForMaterial, mostAtOnce - instructions.length);
  const { text, parts } = layOutSections(sections, room);
  const once = new Map(writer.problems.map((problem) => [JSON.stringify(problem), problem]));
  return {
    text: [instructions, text].filter((one) => one !== "").join("\n\n"),
    parts: [...writer.parts, ...parts],
    problems: [...once.values()],
  };
}

/** Tells if a step shows questions or decisions that its outputs must answer. */
export function asksQuestions(tree: BotTree, workflow: string, step: string): boolean {
  const behavior = tree.behaviors.find(({ name }) => name === workflow) ?? { name: workflow };
  const find = materialFinder({ definitions: tree.definitions, tree, behavior }, { workflow, step, produced: [] });
  const asked = materialsOf(step).filter((name) => name === "key_questions" || name === "decision_criteria");
  return asked.some((name) => find(name).pieces.length > 0);
}

function stepWriter(source: MaterialSource, request: PresentRequest, values: Readonly<Record<string, string>>) {
  const { tree } = source;
  const problems: LoaderProblem[] = [];
  const parts: ShownPart[] = [];
  const placed = new Set<MaterialName>();
  const inTexts: Section[] = [];
  const finder = materialFinder(source, request);
  const facts = factsOf(tree, request, values);
  const find = (name: MaterialName): FoundMaterial => {
    const found = finder(name);
    problems.push(...found.problems);
    return found;
  };
  const fill = ({ text, path }: LeadText, lookUp: LookUp): string => {
    const { text: filled, unfilled } = fillPlaceholders(text, lookUp, (file) =>
      readText(source.definitions, join(dirname(path), file)),
    );
    problems.push(...unfilled.filter((one) => !isFilledLater(one)).map((one) => unfilledProblem(source, path, one)));
    return filled;
  };
  const section = (name: MaterialName): Section => {
    const { title, leads = [], pieces } = find(name);
    const lookUp: LookUp = (asked) => {
      const other = materialNamed(asked);
      if (other === undefined) return facts.get(asked);
      return other === name ? (pieces.length === 0 ? "" : piecesMark) : joinPieces(find(other).pieces);
    };
    return { title, lead: leads.map((lead) => fill(lead, lookUp)).join("\n"), pieces };
  };
  /** Material inside the instructions is not repeated below; long material is listed there. */
  const inText: LookUp = (asked) => {
    const name = materialNamed(asked);
    if (name === undefined) return facts.get(asked);
    const whole = { ...section(name), title: "" };
    if (!placed.has(name)) inTexts.push(whole);
    placed.add(name);
    const shown = layOutSections([whole], mostInAText);
    parts.push(...shown.parts);
    return shown.text;
  };
  const instructions = (): string => {
    const { all, found } = source.definitions.derived(instructionsKey(source, request.step), () => {
      const found: LoaderProblem[] = [];
      return { all: readInstructions(source, request.step, found), found };
    });
    problems.push(...found);
    const texts = all.filter(({ isBackground }) => !(isBackground && request.brief)).map((lead) => fill(lead, inText));
    if (all.some(({ isBackground }) => !isBackground)) return texts.join("\n\n");
    if (all.length === 0) problems.push(withoutInstructions(source, request.step));
    const work = `Do ${request.step} for ${request.workflow}, then submit the result.`;
    return [work, ...texts].join("\n\n");
  };
  return { problems, parts, placed, inTexts, section, instructions };
}

function instructionsKey({ tree, behavior }: MaterialSource, step: string): string {
  return `instructions of ${tree.name} ${behavior.name} ${step}`;
}

function onePart(step: string, part: string, sections: readonly Section[]): string {
  const pieces = sections.flatMap((section) => section.pieces);
  const names = pieces.map(({ name }) => name);
  const shown = pageOf(pieces, part);
  if (shown !== undefined) return shown;
  const known = names.length === 0 ? "it has none" : `its parts are ${names.join(", ")}`;
  return `${step} has no part ${JSON.stringify(part)}; ${known}${didYouMean(part, names)}`;
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

function withoutInstructions({ definitions, tree, behavior }: MaterialSource, step: string): LoaderProblem {
  const action = tree.actions.find(({ name }) => name === step);
  return locateProblem(definitions, action?.folder ?? behavior.folder ?? tree.folder, {
    code: "missing-instructions",
    message: `${step} has no instructions; write instructions.md`,
    fix: "Write instructions.md beside the action's config: what to do and what to submit.",
  });
}
