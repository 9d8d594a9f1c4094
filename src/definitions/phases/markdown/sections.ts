import type { RootContent, Table } from "mdast";
import type { MarkdownDocument } from "./markdown.ts";
import { otherNumber, type PhaseTitle, phaseTitle } from "./phase-headings.ts";
import { asksFor } from "./places.ts";
import { phaseColumn } from "./tables.ts";
import { plainText } from "./text-lines.ts";

/** One phase of a document that contains several. */
export type PhaseSection = {
  readonly number: number;
  readonly name: string;
  readonly line: number;
  readonly text: string;
  readonly nodes: readonly RootContent[];
};

/** A document split into its phases. */
export type PhaseSections = {
  /** The blocks before the first phase; they are shown with it. */
  readonly before: readonly RootContent[];
  readonly phases: readonly PhaseSection[];
  /** Lines of phase headings whose number is not the next one, with the number they get. */
  readonly renumbered: readonly { readonly line: number; readonly number: number }[];
  /** Lines of headings that could start a phase, but are written otherwise than those that do. */
  readonly unread: readonly number[];
  /** True if no heading starts a phase, so that the document is one. */
  readonly isWhole: boolean;
};

/** Splits a document at its phase headings; a gate or a table row that names a phase goes to that phase. */
export function phaseSections({ tree: { children: nodes }, text }: MarkdownDocument, isList = false): PhaseSections {
  const parts = headedParts(nodes);
  const { heads, others } = mainHeads(parts);
  const printed = heads.map(({ title }, at) => title.number ?? (heads[at - 1]?.title.number ?? 0) + 1);
  // A task list may go on from the phases of its workflow.
  const isInOrder = printed.every((number, at) =>
    at === 0 ? isList || number < 2 : number === (printed[at - 1] ?? 0) + 1,
  );
  const first = printed[0] === 0 ? 0 : 1;
  const numberAt = (at: number): number => (isInOrder ? (printed[at] ?? at) : first + at);
  const phaseOf = (number: number): number | undefined => {
    const at = printed.indexOf(number);
    return at === -1 ? undefined : at;
  };
  if (heads.length === 0) return { ...wholePhase(nodes, text), isWhole: true };
  const owners = nodes.map((_, index) => heads.findLastIndex((head) => head.index <= index));
  for (const part of parts) {
    const named = heads.some(({ index }) => index === part.index) ? undefined : phaseNamed(part.words);
    const owner = named === undefined ? undefined : phaseOf(named);
    if (owner === undefined || named === undefined || (isOnward(part.words) && (owners[part.index] ?? -1) >= 0))
      continue;
    const moved = isOnward(part.words) ? owner - 1 : owner;
    for (let index = part.index; index < part.end && moved >= 0; index += 1) owners[index] = moved;
  }
  const names = heads.map(({ title }) => title.name.toLowerCase());
  // A row that names no phase stays where its table is.
  const rows = nodes.flatMap((node, index) =>
    (node.type === "table" ? rowsByPhase(node, names) : []).map(({ phases, table }) => {
      const named = phases === "all" ? [...heads.keys()] : phases.flatMap((one) => one.at ?? phaseOf(one.number) ?? []);
      return { table, at: named.length > 0 ? named : [Math.max(0, owners[index] ?? 0)] };
    }),
  );
  const isAssigned = (node: RootContent): boolean => node.type === "table" && phaseColumn(node) !== undefined;
  const sections = heads.map(({ title, index }, at): PhaseSection => {
    const own = nodes
      .map((_, one) => one)
      .filter((one) => owners[one] === at && !isAssigned(nodes[one] ?? { type: "thematicBreak" }));
    const tables = rows.filter((row) => row.at.includes(at)).map(({ table }) => table);
    return {
      number: numberAt(at),
      name: title.name,
      line: lineOf(nodes[index]),
      text: textAt(own, nodes, text),
      nodes: [...own.flatMap((one) => nodes[one] ?? []), ...tables],
    };
  });
  const before = nodes.filter((node, index) => owners[index] === -1 && !isAssigned(node));
  const renumbered = heads.flatMap(({ index }, at) =>
    numberAt(at) === printed[at] ? [] : [{ line: lineOf(nodes[index]), number: numberAt(at) }],
  );
  const unread = others.map(({ index }) => lineOf(nodes[index]));
  return { before, phases: sections, renumbered, unread, isWhole: false };
}

/** A document without phase headings, which is one phase. */
function wholePhase(nodes: readonly RootContent[], text: string): Omit<PhaseSections, "isWhole"> {
  const heading = nodes.find((node) => node.type === "heading");
  const name = heading === undefined ? "" : plainText(heading);
  const phase = { number: 1, name, line: lineOf(nodes[0]), text: textAt([...nodes.keys()], nodes, text), nodes };
  return { before: [], phases: [phase], renumbered: [], unread: [] };
}

/** A heading and its part, up to the next one of the same level. */
type HeadedPart = { readonly index: number; readonly end: number; readonly depth: number; readonly words: string };

/** Every heading of a document with its part. */
export function headedParts(nodes: readonly RootContent[]): HeadedPart[] {
  return nodes.flatMap((node, index) => {
    if (node.type !== "heading") return [];
    const next = nodes.findIndex((one, at) => at > index && one.type === "heading" && one.depth <= node.depth);
    return [{ index, end: next === -1 ? nodes.length : next, depth: node.depth, words: plainText(node) }];
  });
}

type PhaseHead = HeadedPart & { readonly title: PhaseTitle };

/** The headings of one level that start phases: of one kind, or of all kinds if their numbers go on; each number once. */
function mainHeads(parts: readonly HeadedPart[]): { readonly heads: PhaseHead[]; readonly others: HeadedPart[] } {
  const titled = parts.flatMap((part) => {
    const title = phaseTitle(part.words);
    return title === undefined || (!title.isSeparated && asksFor(title.name)) ? [] : [{ ...part, title }];
  });
  const kind = (["phase", "step", "number"] as const).find((one) => titled.some(({ title }) => title.kind === one));
  const ofKind = titled.filter(({ title }) => title.kind === kind);
  const depths = [...new Set(ofKind.map(({ depth }) => depth))].sort();
  const depth = depths.find((one) => ofKind.filter((part) => part.depth === one).length > 1) ?? depths[0];
  const mixed = titled.filter((part) => part.depth === depth);
  const first = mixed[0]?.title.number ?? 1;
  const isOne = first < 2 && mixed.every(({ title }, at) => (title.number ?? first + at) === first + at);
  const level = isOne ? mixed : ofKind.filter((part) => part.depth === depth);
  const heads = level.filter(({ title }, at) => {
    const isAgain = level.slice(0, at).some((one) => one.title.number === title.number);
    const isLast = at === level.length - 1;
    return title.number === undefined ? isLast : !(isAgain && (!title.isSeparated || asksFor(title.name)));
  });
  const goesOn = ({ index, words }: HeadedPart): boolean => {
    const before = heads.findLast((head) => head.index < index)?.title.number;
    return before !== undefined && otherNumber(words) === before + 1;
  };
  const others = parts.filter(
    (part) =>
      part.depth === depth &&
      !level.some(({ index }) => index === part.index) &&
      (mixed.some(({ index }) => index === part.index) || goesOn(part)),
  );
  return { heads, others };
}

/** The phases that a cell of a Phase column names, by number or by their place. */
type NamedPhases = "all" | readonly ({ readonly number: number; readonly at?: undefined } | { readonly at: number })[];

/** The rows of a table with the phases that its Phase column assigns them to. */
function rowsByPhase(
  table: Table,
  names: readonly string[],
): { readonly phases: NamedPhases; readonly table: Table }[] {
  const column = phaseColumn(table);
  const [head, ...rows] = table.children;
  if (column === undefined || head === undefined) return [];
  const without = (row: Table["children"][number]) => ({
    ...row,
    children: row.children.filter((_, at) => at !== column),
  });
  let phases: NamedPhases = [];
  return rows.map((row) => {
    const cell = row.children[column];
    const said = cell === undefined ? "" : plainText(cell).trim().toLowerCase();
    const named = phasesNamed(said, names);
    // A cell that names no phase continues the one above it.
    if (named.length > 0) phases = named;
    return { phases, table: { ...table, children: [without(head), without(row)] } };
  });
}

function phasesNamed(said: string, names: readonly string[]): NamedPhases {
  const at = names.indexOf(said);
  if (at !== -1) return [{ at }];
  if (/^(?:all|every|each|any)\b(?!.*\d)/.test(said)) return "all";
  // "1, 2" and "1 and 2"; otherwise the first number: "2 (Build 4)".
  const isList = /^(?:(?:phases?|steps?)\s*)?\d{1,4}(?:\s*(?:,|&|\/|and)\s*(?:(?:phase|step)\s*)?\d{1,4})+$/.test(said);
  const found = [...said.matchAll(/\d{1,4}/g)].map(([digits]) => ({ number: Number(digits) }));
  return isList ? found : found.slice(0, 1);
}

/** The phase that an asking heading names: `Phase 2 Validation Gate`, `Exit criteria for Phase 2`. */
function phaseNamed(words: string): number | undefined {
  const [, digits] = /\b(?:phase|step)[\s#-]*(\d{1,4})(?![\p{L}\p{N}]|\.\d)/iu.exec(words) ?? [];
  return digits !== undefined && asksFor(words) ? Number(digits) : undefined;
}

/** True for a gate on the way to a phase, such as "Before moving to Phase 2". */
function isOnward(words: string): boolean {
  return /\b(?:to|into|before|ready|until)\b[\p{L}\s]*\b(?:phase|step)\b/iu.test(words);
}

/** The text of some nodes; adjacent nodes are one piece. */
export function textAt(indexes: readonly number[], nodes: readonly RootContent[], text: string): string {
  const pieces: { from: number; to: number; last: number }[] = [];
  for (const index of indexes) {
    const { start, end } = nodes[index]?.position ?? {};
    const piece = pieces.at(-1);
    const to = end?.offset ?? 0;
    if (piece?.last === index - 1) Object.assign(piece, { to, last: index });
    else pieces.push({ from: start?.offset ?? 0, to, last: index });
  }
  return pieces.map(({ from, to }) => text.slice(from, to).trimEnd()).join("\n\n");
}

/** The first line of a block. */
export function lineOf(node: RootContent | undefined): number {
  return node?.position?.start.line ?? 1;
}
