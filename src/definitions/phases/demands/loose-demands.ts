import type { Block, Place } from "../markdown/blocks.ts";
import { askingAt, isExamplePlace, isOfTask, isOptionalPlace } from "../markdown/gate-places.ts";
import { announcesGate, plainWords } from "../markdown/gate-words.ts";
import { hidesDemands, htmlHead } from "../markdown/html.ts";
import { joinLines, type Line } from "../markdown/lines.ts";
import { withName } from "../markdown/list-lines.ts";
import { isAboutApproval } from "./approval.ts";
import { boxName, checkboxDemands } from "./checkboxes.ts";
import { isCriterion, isRemark } from "./criteria.ts";
import { type Demands, gather, noDemands } from "./demand.ts";
import { codeNames } from "./fields.ts";
import { findIndicator } from "./indicators.ts";
import { isSnake } from "./names.ts";
import { type Asking, proseDemands } from "./prose.ts";
import { withEntry } from "./unnamed-entry.ts";

/** What checkboxes, plain entries and sentences ask for; in `explicit` are the blocks whose place is a gate by its own words. */
export function looseDemands(blocks: readonly Block[], explicit: ReadonlySet<Block>): Demands {
  const names = blocks.flatMap((block) => (block.kind === "item" && block.box ? (boxName(block.lines) ?? []) : []));
  const isShared = (field: string): boolean => names.filter((name) => name === field).length > 1;
  const prose = withSiblings(new Map(blocks.map((block) => [block, proseIn(block)])));
  const boxes = (isOfTasks: boolean): Demands =>
    gather(
      blocks.map((block, index) => {
        if (block.kind !== "item" || isOfTask(block.place) !== isOfTasks) return noDemands;
        if (block.box) return boxDemands(block, isShared);
        if (!explicit.has(block) || !isUnread(prose.get(block)) || !isCriterion(blocks, index, isAboutApproval))
          return noDemands;
        return isRemark(blocks, block) ? remark(block.lines) : boxDemands(block, isShared);
      }),
    );
  const ofPhase = gather([boxes(false), ...prose.values()]);
  // What tasks must fulfil is asked for where the phase asks for nothing of its own.
  const isOfPhase = ofPhase.demands.length > 0 || ofPhase.unclear.length > 0;
  return isOfPhase ? ofPhase : { ...boxes(true), nameless: ofPhase.nameless };
}

/** Beside "Must provide `a`", an entry "Submit `b` (integer)" or "`c` (list) is required" asks as well: where it states a type. */
function withSiblings(prose: ReadonlyMap<Block, Demands>): ReadonlyMap<Block, Demands> {
  const asking = new Set(
    [...prose].flatMap(([{ kind, place }, { demands }]) => (kind === "item" && demands.length > 0 ? [place] : [])),
  );
  return new Map(
    [...prose].map(([block, read]) => {
      if (block.kind !== "item" || !asking.has(block.place) || !isUnread(read) || askingIn(block.place) !== "nothing")
        return [block, read];
      const beside = proseDemands(block.lines, "gate");
      const isStated = beside.demands.length > 0 && beside.demands.every(({ certainty }) => certainty === "written");
      return [block, isStated ? beside : read];
    }),
  );
}

/** What the place of a block asks for; below an entry of a list that asks, only what is plainly a field counts. */
function askingIn(place: Place): Asking {
  const asking = askingAt(place);
  if (asking === "nothing" && isOptionalList(place)) return "gate";
  const isInside = asking === "nothing" && place.outer !== undefined && place.outer !== "";
  return isInside && askingAt({ ...place, intro: place.outer }) !== "nothing" ? "gate" : asking;
}

/** A list that is headed "Optional" tells of fields that may be left out. */
function isOptionalList({ headings, label, intro }: Place): boolean {
  return [headings.at(-1) ?? "", label, intro].some((text) =>
    /^(?:optional|nice to have)(?: (?:evidence|fields?|items?|information|data|extras?|values?))?\s*:?$/i.test(
      plainWords(text),
    ),
  );
}

function isUnread(read: Demands = noDemands): boolean {
  return read.demands.length + read.unclear.length + read.nameless.length === 0;
}

function remark(lines: readonly Line[]): Demands {
  const { text, line } = joinLines(lines);
  return {
    ...noDemands,
    nameless: [{ line, message: `"${text.trim()}" stands in the gate and is taken for a remark` }],
  };
}

/** A paragraph names evidence where it says at once what it is: "the log `log_text` (string)"; else the name that it holds is reported. */
function told(lines: readonly Line[]): Demands {
  const read = proseDemands(lines, "gate");
  const line = joinLines(lines);
  const names = codeNames(line).filter(({ field }) => isSnake(field));
  if (!isUnread(read) || names.length === 0) return read;
  return names.some(({ end }) => /^\s*\(/.test(line.text.slice(end))) ? proseDemands(lines, "listed") : remark(lines);
}

/** "All tests must pass." in a gate, where no entry says it; what is said of the gate itself is no demand. */
function isDemanding(text: string): boolean {
  return (
    /\b(?:must|has to|have to|needs? to)\b/i.test(text) &&
    !/[:：]\s*$|\b(?:following|below|above|boxe?s?|criteria|criterion|items?|checks?|gates?|checkpoints?|evidence|proceed|continu|advanc|phases?|before|you|conditions?|requirements?|approv)/i.test(
      text,
    )
  );
}

function boxDemands({ lines, place }: Extract<Block, { kind: "item" }>, isShared: (field: string) => boolean): Demands {
  return askingIn(place) === "nothing" ? noDemands : checkboxDemands(lines, !isOptionalPlace(place), isShared);
}

function proseIn(block: Block): Demands {
  if (block.kind === "table" || block.kind === "code" || isExamplePlace(block.place)) return noDemands;
  const asking = askingIn(block.place);
  if (block.kind === "html") {
    const isAsked = asking !== "nothing" || announcesGate(htmlHead(block.text));
    return isAsked && hidesDemands(block.text) ? hidden(block.line) : noDemands;
  }
  if (block.kind === "heading")
    return isOnlyApproval(block.line, false) ? noDemands : proseDemands([block.line], "nothing");
  if (block.kind === "item" && block.box && asking !== "nothing") return noDemands;
  const own = block.lines.filter((line) => !isOnlyApproval(line, asking !== "nothing"));
  const lines = block.kind === "item" && asking !== "nothing" ? own.map(withName) : own;
  if (lines.length === 0) return noDemands;
  // A paragraph under "Evidence" tells; a list there names.
  const prose = block.kind === "text" && asking === "listed" ? told(lines) : proseDemands(lines, asking);
  const read =
    block.kind === "item" && asking === "listed" && block.place.depth === 0 ? withEntry(prose, lines) : prose;
  if (block.kind === "text" && asking === "gate" && isUnread(read) && isDemanding(joinLines(lines).text))
    return remark(lines);
  if (!isOptionalPlace(block.place)) return read;
  return { ...read, demands: read.demands.map((demand) => ({ ...demand, required: false })) };
}

/** "Must provide `plan_path`, and wait for approval" asks for both. */
function isOnlyApproval(line: Line, inGate: boolean): boolean {
  if (!isAboutApproval(line.text, inGate)) return false;
  const end = findIndicator(line, inGate)?.end;
  return (
    end === undefined ||
    !codeNames(line).some(({ start }) => start >= end && !/approv|sign-?off/i.test(line.text.slice(end, start)))
  );
}

function hidden(line: number): Demands {
  const message =
    "what stands in HTML inside a gate is not read; write it in Markdown, with a blank line after the tag";
  return { ...noDemands, unclear: [{ line, message }] };
}
