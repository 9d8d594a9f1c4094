import { kindOfContext } from "../markdown/context-kind.ts";
import type { Block } from "../markdown/document-blocks.ts";
import { phaseTitle, taskTitle } from "../markdown/phase-headings.ts";
import { rowsOf } from "../markdown/table-rows.ts";
import { isStruckThrough } from "../markdown/text-lines.ts";
import type { Demand, Demands } from "./demand.ts";

/** What a document says of a person's approval: by a label, or in words. */
export type ApprovalRead = {
  readonly line: number;
  readonly asked: boolean;
  readonly isLabel: boolean;
  readonly isUnclear: boolean;
};

/** Whether a person must agree, by everything that a phase says of it. A label decides; without one, words that ask for it do. */
export function approvalOf(blocks: readonly Block[]): {
  readonly asked: ApprovalRead | undefined;
  readonly unclear: readonly ApprovalRead[];
} {
  const reads = blocks.flatMap((block, index) =>
    block.kind === "heading" ? headed(block, blocks[index + 1]) : readsIn(block, blocks[index + 1]),
  );
  const labels = reads.filter(({ isLabel }) => isLabel);
  const asked = (labels.length > 0 ? labels : reads).find((read) => read.asked);
  return { asked, unclear: reads.filter(({ isUnclear }) => isUnclear) };
}

/** Tells whether words speak of somebody's approval, agreement, confirmation, consent or sign-off. */
export function isApproval(text: string): boolean {
  const words = wordsIn(text);
  return (
    approvalAt(words) >= 0 ||
    (words.some((word) => word.startsWith("agree")) && hasPerson(words, text)) ||
    confirming.test(words.join(" "))
  );
}

/** What a line about an approval asks for besides: a field, where it says of what kind its value is or what that must be. */
export function besidesApproval(
  { demands, relations, unclear, nameless }: Demands,
  field: string | undefined,
): Demands {
  const isSaid = ({ type, rules, isBox }: Demand): boolean =>
    type !== "boolean" && (type !== "string" || rules.length > 0 || isBox === true);
  const isOther = field !== undefined && !isApproval(field);
  return { demands: demands.filter(isSaid), relations, unclear: isOther ? unclear : [], nameless };
}

/** Tells whether a heading is about an approval and nothing else: "Human approval", "Sign-off". */
export function isApprovalHeading(text: string): boolean {
  return (
    phaseTitle(text) === undefined && taskTitle(text) === undefined && wordsIn(text).length <= 3 && isApproval(text)
  );
}

/** What a heading about an approval says with the words right below it. */
function headed({ line, place }: Extract<Block, { kind: "heading" }>, next: Block | undefined): ApprovalRead[] {
  if (!isApprovalHeading(line.text) || kindOfContext(place) === "example") return [];
  const [below] = next?.kind === "text" ? next.lines : [];
  const label = below === undefined ? undefined : approvalLabel(`Approval: ${below.text}`);
  const isLabel = !place.inTask;
  return label?.isUnclear === false || label?.asked === false
    ? [{ line: line.line, ...label, isLabel }]
    : [{ line: line.line, asked: true, isLabel: false, isUnclear: false }];
}

/** Tells whether a label says "Human approval: required" or the opposite; a sign says neither. Undefined where a line is no such label. */
export function approvalLabel(text: string): { readonly asked: boolean; readonly isUnclear: boolean } | undefined {
  const [, label = "", value = ""] = /^\W*([^:]{3,50}):\**(.*)$/su.exec(text) ?? [];
  const words = wordsIn(label);
  if (words.length > 5 || approvalAt(words) === -1 || value.trim() === "") return undefined;
  const [said = ""] = wordsIn(value);
  const isNo = ["no", "none", "not", "false", "n/a", "never", "optional", "unnecessary"].includes(said);
  const isYes = ["yes", "required", "mandatory", "true", "needed", "must", "always"].includes(said);
  return { asked: !isNo, isUnclear: !isNo && !isYes };
}

function readsIn(block: Block, next: Block | undefined): ApprovalRead[] {
  const kind = kindOfContext(block.place);
  if (kind === "example") return [];
  const asked = { asked: true, isLabel: false, isUnclear: false };
  if (block.kind === "table") {
    const [[head] = [], ...rows] = rowsOf(block.table);
    const isOfApprovals = head !== undefined && isApproval(head.text);
    return rows.flatMap(([name]) => {
      const isAsked =
        name !== undefined &&
        !isStruckThrough(name.text) &&
        (isApproval(name.text) || (isOfApprovals && approvalLabel(`Approval: ${name.text}`)?.asked === true));
      return isAsked ? [{ line: name.line, ...asked }] : [];
    });
  }
  if (block.kind !== "text" && block.kind !== "item") return [];
  // What a task says by the way does not overrule the phase.
  const isOwn = !block.place.inTask && block.place.depth === 0;
  const isBox = block.kind === "item" && block.box;
  const inGate = kind !== "nothing" || isBox;
  // "Human approval:" leads over to a list, or was never filled in.
  const leadsOver = next?.kind === "item" || next?.kind === "table" || next?.kind === "code";
  return block.lines.flatMap(({ text, line }): ApprovalRead[] => {
    const label = isBox ? undefined : approvalLabel(isOpenLabel(text, leadsOver) ? `${text} ?` : text);
    if (label !== undefined) return isOwn || label.asked ? [{ line, ...label, isLabel: isOwn }] : [];
    const isAsked = text
      .split(/(?<=[.!?])\s+|\bbut\b/)
      .some((sentence) => isApproval(sentence) && isDemanded(sentence, inGate));
    return isAsked ? [{ line, ...asked }] : [];
  });
}

/** A label of three words at most with nothing behind it: "Human approval:". "Approval criteria:" may head a list. */
function isOpenLabel(text: string, leadsOver: boolean): boolean {
  const words = wordsIn(text);
  const isOpen = text.trim().endsWith(":") && words.length <= 3;
  return isOpen && (!leadsOver || approvalAt(words.slice(-1)) === 0);
}

/** In plain prose an approval is asked for by words that make one wait for it; in a gate, unless none is needed: "no approval", "does not need approval". */
function isDemanded(sentence: string, inGate: boolean): boolean {
  const words = wordsIn(sentence);
  const at = approvalAt(words);
  const needs = words.findIndex((word) =>
    ["need", "needs", "needed", "require", "requires", "required"].includes(word),
  );
  const isDenied =
    words.slice(Math.max(0, at - 3), at).includes("no") || ["not", "n't", "never"].includes(words[needs - 1] ?? "");
  return !isDenied && (inGate || words.some((word) => waiting.has(word)));
}

const waiting = new Set(
  "must need needs require requires required wait ask asks until without before obtain get seek request only unless await once after has have".split(
    " ",
  ),
);
const people = new Set(
  "user human person people somebody someone owner lead reviewer reviewers team customer client stakeholder stakeholders manager maintainer maintainers author developer they everybody everyone".split(
    " ",
  ),
);

/** "user confirmation", "the user confirms", "confirm with the user"; not "confirm that the user exists". */
const confirming = new RegExp(
  `\\b(?:${[...people].join("|")})(?:['’]s)? (?:has |have |must |to |explicitly )*confirm(?:s|ed|ation)?\\b|` +
    `\\bconfirm(?:ed|ation)? (?:by|with|from|of) (?:the |a |your )*(?:${[...people].join("|")})\\b`,
);

function hasPerson(words: readonly string[], text: string): boolean {
  const isNamed = /\s\p{Lu}\p{Ll}+|^\W*\p{Lu}\p{Ll}+ agree/u.test(text.trim());
  return isNamed || words.some((word) => people.has(word));
}

/** Where words speak of approval, consent or sign-off; "sign-up, log-in and log-out" is none. */
function approvalAt(words: readonly string[]): number {
  return words.findIndex(
    (word, at) =>
      word.startsWith("approv") ||
      word.startsWith("consent") ||
      nouns.has(word) ||
      pairs.has(`${word} ${words[at + 1]}`),
  );
}

/** What else people call it. "Go ahead" in two words is what one says to an assistant. */
const nouns: ReadonlySet<string> = new Set([
  ...["sign-off", "sign-offs", "signoff", "signed-off"],
  ...["lgtm", "buy-in", "go-ahead", "green-light", "greenlight", "greenlit"],
]);
const pairs: ReadonlySet<string> = new Set([
  ...["sign off", "signs off", "signed off", "signing off"],
  ...["green light", "thumbs up"],
]);

function wordsIn(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll("_", " ")
      .match(/[\p{L}\p{N}/'’-]+/gu) ?? []
  );
}
