import type { Block, Place } from "../markdown/blocks.ts";
import { askingAt, isExamplePlace } from "../markdown/gate-places.ts";
import { announcesGate, plainWords } from "../markdown/gate-words.ts";
import { joinLines } from "../markdown/lines.ts";

/** Tells whether an entry without a box, under a gate's heading, is a criterion by its text: not a remark, a link, or a detail of a box. */
export function isCriterion(
  blocks: readonly Block[],
  at: number,
  isAboutApproval: (text: string, inGate: boolean) => boolean,
): boolean {
  const block = blocks[at];
  if (block?.kind !== "item" || isExamplePlace(block.place) || askingAt(block.place) !== "gate") return false;
  const { text, marks } = joinLines(block.lines);
  if (isRemarks(block.place) || isTalk(text) || isAboutApproval(text, true)) return false;
  const around = blocks.slice(0, at).findLast((one) => one.kind === "heading" || one.place.depth < block.place.depth);
  const isDetail = block.place.depth > 0 && around?.kind === "item" && (around.box || isNamed(around));
  return !isDetail && (/\p{L}/u.test(text) || marks.length > 0);
}

/** Tells whether an entry is rather a remark: a sentence with its full stop, among entries without, that says of nothing that it is so. */
export function isRemark(blocks: readonly Block[], block: Extract<Block, { kind: "item" }>): boolean {
  const isStopped = ({ lines }: typeof block): boolean => /[.!]\s*$/.test(joinLines(lines).text);
  if (!isStopped(block) || states.test(joinLines(block.lines).text)) return false;
  return blocks.some((one) => one.kind === "item" && one.place === block.place && !isStopped(one));
}

const states =
  /\b(?:is|are|was|were|been|has|have|must|should|can|no|not|all|every|each|any|zero|pass(?:es)?|green|done|complete|ready|exists?|works?|runs?|builds?|succeeds?|match(?:es)?|written|shown|known|agree[ds]?|\p{L}+ed|provide|confirm|record|report|submit|verify|ensure|check)\b/iu;

/** Below "`report`: path of the report" stands what is said of it. */
function isNamed({ lines }: Extract<Block, { kind: "item" }>): boolean {
  const { text, marks } = joinLines(lines);
  return marks.some(({ kind, start }) => kind === "code" && !/[\p{L}\p{N}]/u.test(text.slice(0, start)));
}

/** A part of a gate that tells of other things than what must hold. */
function isRemarks({ headings, label, intro }: Place): boolean {
  return [headings.at(-1) ?? "", label, intro].some((text) => !announcesGate(text) && remarks.test(plainWords(text)));
}

const remarks =
  /^(?:common|notes?|tips?|hints?|warnings?|cautions?|mistakes?|pitfalls?|why|how|what|steps?|procedure|instructions?|process|references?|resources?|links?|see also|background|context|troubleshooting|if|when|next|navigation|do not|don't|never|avoid|anti-?patterns?|failures?|on failure|remember|tools?|commands?|outputs?|inputs?|rationale|purpose|objectives?|goals?|overview|related|further|reading|files?|time|roles?|who|participants?|attendees?)\b/i;

function isTalk(text: string): boolean {
  const words = text.replace(/^[^\p{L}\p{N}]+/u, "").trim();
  return (
    /[:：]\s*$/.test(words) ||
    /^(?:see|note|notes|tip|hint|warning|e\.g|for example|example|for instance|none|n\/a|todo|tbd|optional|if|remember|please note|more (?:on|about)|read more|the following|go back|return to|next|once|otherwise)\b/i.test(
      words,
    ) ||
    /^(?:do not|don['’]t|never)\s+(?:proceed|continue|advance|move|go|start|begin)\b/i.test(words) ||
    /^https?:\/\/\S+$/.test(words)
  );
}
