import type { Block } from "../markdown/blocks.ts";
import type { Line } from "../markdown/lines.ts";
import { kindOfPlace } from "../markdown/places.ts";
import { rowsOf } from "../markdown/table-rows.ts";

/** What a document says of a person's approval: by a label, or in words. */
export type ApprovalRead = {
  readonly line: number;
  readonly asked: boolean;
  readonly isLabel: boolean;
  readonly isUnclear: boolean;
};

/** Whether a person must agree, by everything that a phase says of it. A label decides; without one, words that ask for it do. */
export function approvalOf(blocks: readonly Block[]): {
  readonly asked?: ApprovalRead;
  readonly unclear: readonly ApprovalRead[];
  readonly isRefused: boolean;
} {
  const reads = blocks.flatMap(readsIn);
  const labels = reads.filter(({ isLabel }) => isLabel);
  const yes = labels.find(({ asked }) => asked);
  const isRefused = labels.length > 0 && yes === undefined;
  const asked = yes ?? (isRefused ? undefined : reads.find((read) => read.asked));
  return { ...(asked === undefined ? {} : { asked }), unclear: reads.filter(({ isUnclear }) => isUnclear), isRefused };
}

/** Tells whether words speak of somebody's approval, agreement, consent or sign-off. */
export function isApproval(text: string): boolean {
  const words = wordsIn(text);
  return words.some(
    (word, at) =>
      word.startsWith("approv") ||
      word.startsWith("consent") ||
      isSignOff(words, at) ||
      (word.startsWith("agree") && hasPerson(words, text)),
  );
}

/** Tells whether a label says "Human approval: required" or the opposite; undefined where a line is no such label. */
export function approvalLabel(text: string): { readonly asked: boolean; readonly isUnclear: boolean } | undefined {
  const [, label = "", value = ""] = /^\W*([^:]{3,50}):\W*(.*?)\W*$/su.exec(text) ?? [];
  const words = wordsIn(label);
  if (
    words.length > 5 ||
    !words.some((word, at) => word.startsWith("approv") || isSignOff(words, at) || word.startsWith("consent"))
  )
    return undefined;
  const said = wordsIn(value);
  if (said.length === 0) return undefined;
  const isNo = ["no", "none", "not", "false", "n/a", "never", "optional", "unnecessary"].includes(said[0] ?? "");
  const isYes = ["yes", "required", "mandatory", "true", "needed", "must", "always"].includes(said[0] ?? "");
  return { asked: !isNo, isUnclear: !isNo && !isYes };
}

function readsIn(block: Block): ApprovalRead[] {
  const kind = kindOfPlace(block.place);
  if (kind === "example") return [];
  if (block.kind === "heading") return [];
  if (block.kind === "table") {
    const [, ...rows] = rowsOf(block.table);
    return rows.filter(([name]) => name !== undefined && isApproval(name.text)).map((row) => read(row, false));
  }
  if (block.kind !== "text" && block.kind !== "item") return [];
  // What a task says by the way does not overrule the phase.
  const isOwn = !block.place.inTask && block.place.depth === 0;
  return block.lines.flatMap((line): ApprovalRead[] => {
    const isBox = block.kind === "item" && block.box;
    const label = isBox ? undefined : approvalLabel(line.text);
    if (label !== undefined) return isOwn || label.asked ? [{ line: line.line, ...label, isLabel: isOwn }] : [];
    const inGate = kind !== "nothing" || isBox;
    return sentences(line.text).some(
      (sentence) => isApproval(sentence) && (inGate ? !isDenied(sentence) : isDemanded(sentence)),
    )
      ? [read([line], false)]
      : [];
  });
}

function read([first]: readonly Line[], isLabel: boolean): ApprovalRead {
  return { line: first?.line ?? 1, asked: true, isLabel, isUnclear: false };
}

function sentences(text: string): string[] {
  return text.split(/(?<=[.!?])\s+/);
}

/** In plain prose an approval is asked for by words that make one wait for it. */
function isDemanded(sentence: string): boolean {
  const words = wordsIn(sentence);
  return words.some((word) => waiting.has(word)) && !isDenied(sentence);
}

/** "No approval is needed", "does not need approval". */
function isDenied(sentence: string): boolean {
  const words = wordsIn(sentence);
  const at = words.findIndex(
    (word) => word.startsWith("approv") || word.startsWith("consent") || word.startsWith("sign"),
  );
  const isNone = words[at - 1] === "no" || words.slice(Math.max(0, at - 3), at).includes("no");
  const needs = words.findIndex((word) =>
    ["need", "needs", "needed", "require", "requires", "required", "necessary"].includes(word),
  );
  return isNone || (needs > 0 && ["not", "n't", "never"].includes(words[needs - 1] ?? ""));
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

function hasPerson(words: readonly string[], text: string): boolean {
  return (
    words.some((word) => people.has(word)) ||
    /(?<=\s)\p{Lu}\p{Ll}+/u.test(text.trim()) ||
    /^\W*\p{Lu}\p{Ll}+ agree/u.test(text)
  );
}

/** "sign-off", "signed off", "signs off"; and "sign-up, log-in and log-out" is none. */
function isSignOff(words: readonly string[], at: number): boolean {
  const [word = "", next = ""] = [words[at], words[at + 1]];
  return (
    ["sign-off", "sign-offs", "signoff", "signed-off"].includes(word) ||
    (["sign", "signs", "signed", "signing"].includes(word) && next === "off")
  );
}

function wordsIn(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll("_", " ")
      .match(/[\p{L}\p{N}/'’-]+/gu) ?? []
  );
}
