import { countText } from "../../kit/count-text.ts";
import { oneLine } from "../../kit/one-line.ts";
import { type EvidenceCounts, evidenceCountText } from "./evidence-text.ts";
import { pictureStyle } from "./picture-style.ts";
import { lastTime, type SpanMark, type Timed, timelineMarks, timelineSpans, timelineTimes } from "./timeline/spans.ts";
import { type TimeScale, ticksOf, timeScale } from "./timeline/time-scale.ts";

/** A run as its picture shows it. */
export type PictureData = {
  readonly title: string;
  readonly sentence: string;
  readonly evidence: EvidenceCounts;
  /** The map, one row per workflow, each step with its name and sign. */
  readonly map: readonly { readonly name: string; readonly steps: readonly PicturedStep[] }[];
  /** The timeline, one row per workflow or step. */
  readonly lanes: readonly { readonly name: string; readonly attempts: readonly Timed[] }[];
  /** The number of records and the hash of the last: the state that the picture shows. */
  readonly records: number;
  readonly head: string;
};

export type PicturedStep = { readonly name: string; readonly sign: string };

const width = 960;
const margin = 24;
const names = 176;
const maxRows = 60;

/** Draws the map and timeline of a run as one self-contained SVG, without scripts, for light and dark. Times are UTC. */
export function drawPicture(run: PictureData, now: number): string {
  const map = mapParts(run, 104);
  const lines = timeParts(run, map.bottom + 58, now);
  const foot = lines.bottom + 30;
  const height = foot + 20;
  const { records, head } = run;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(`${run.title}: ${run.sentence}`, 300)}">`,
    `<style>${pictureStyle}</style>`,
    '<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch" width="7" height="7"/><rect class="stripe" width="3" height="7"/></pattern></defs>',
    `<rect class="ground" width="${width}" height="${height}" rx="10"/>`,
    text(margin, 38, run.title, "title", 70),
    text(margin, 60, run.sentence, "quiet", 138),
    ...meter(margin, 75, 120, run.evidence),
    text(margin + (isNone(run.evidence) ? 0 : 130), 82, evidenceCountText(run.evidence), "quiet small", 60),
    ...map.parts,
    ...legend(map.bottom + 22),
    ...lines.parts,
    text(
      margin,
      foot,
      `${countText(records, "record")}, head ${head.slice(0, 16)} · times are UTC · waymark export --svg`,
      "quiet small",
      130,
    ),
    "</svg>\n",
  ].join("\n");
}

type Drawn = { readonly parts: readonly string[]; readonly bottom: number };

/** The map: a line of phases with their names, or a grid of workflows and steps. */
function mapParts({ map }: PictureData, top: number): Drawn {
  const [only, another] = map;
  return only !== undefined && another === undefined ? lineOf(only.steps, top) : gridOf(map, top);
}

/** The maximum number of steps side by side. */
const maxPerRow = 10;

function lineOf(steps: readonly PicturedStep[], top: number): Drawn {
  const beside = Math.min(maxPerRow, Math.max(1, steps.length));
  const room = (width - 2 * margin) / beside;
  const letters = Math.floor((room - 8) / 6.1);
  const shown = steps.slice(0, maxRows);
  const high = shown.some(({ name }) => splitInTwo(name, letters)[1] !== "") ? 74 : 60;
  const parts = shown.flatMap(({ name, sign }, at) => {
    const [x, y] = [margin + (at % beside) * room, top + Math.floor(at / beside) * high];
    const [first, second] = splitInTwo(name, letters);
    return [
      ...cell(x, y, room - 8, 26, sign),
      text(x + 1, y + 43, first, "small", letters),
      ...(second === "" ? [] : [text(x + 1, y + 57, second, "small", letters)]),
    ];
  });
  return { parts, bottom: top + Math.ceil(shown.length / beside) * high - 8 };
}

function gridOf(map: PictureData["map"], top: number): Drawn {
  const longest = Math.min(maxPerRow * 2, Math.max(1, ...map.map(({ steps }) => steps.length)));
  const room = (width - 2 * margin - names) / longest;
  const [first] = map;
  const isAlike = map.every(
    ({ steps }) => String(steps.map(({ name }) => name)) === String(first?.steps.map(({ name }) => name)),
  );
  const heads = isAlike && first !== undefined ? first.steps.slice(0, longest) : [];
  const under = heads.length === 0 ? top : top + 22;
  const parts = [
    ...heads.map(({ name }, at) =>
      text(margin + names + at * room, top + 8, name, "quiet small", Math.floor((room - 6) / 5.8)),
    ),
    ...map
      .slice(0, maxRows)
      .flatMap(({ name, steps }, row) => [
        text(margin, under + row * 30 + 15, name, "name", 27),
        ...steps
          .slice(0, longest)
          .flatMap(({ sign }, at) => cell(margin + names + at * room, under + row * 30, room - 8, 22, sign)),
      ]),
  ];
  return { parts, bottom: under + Math.min(map.length, maxRows) * 30 };
}

/** A step on the map; the sign carries the meaning, not only the colour. */
function cell(x: number, y: number, wide: number, high: number, sign: string): string[] {
  const [cx, cy] = [x + wide / 2, y + high / 2];
  const box = `<rect class="cell ${kinds[sign] ?? "later"}" x="${fixed(x)}" y="${fixed(y)}" width="${fixed(wide)}" height="${high}" rx="5"/>`;
  const check = `<path class="check" d="M${fixed(cx - 6)} ${cy}l4 4 8 -9"/>`;
  switch (sign) {
    case "d":
      return [box, check];
    case "r":
      return [
        box,
        check,
        `<rect class="after" x="${fixed(x)}" y="${y + high - 5}" width="${fixed(wide)}" height="5" rx="2.5"/>`,
      ];
    case "o":
      return [box, `<circle class="dot" cx="${fixed(cx)}" cy="${cy}" r="4"/>`];
    case "s":
      return [box, `<path class="cross" d="M${fixed(cx - 5)} ${cy - 5}l10 10m0 -10l-10 10"/>`];
    default:
      return [box];
  }
}

const kinds: Readonly<Record<string, string>> = {
  d: "done",
  r: "done",
  k: "skipped",
  o: "open",
  w: "waits",
  s: "stuck",
  n: "next",
};

function legend(y: number): string[] {
  const said = [
    ["d", "done"],
    ["r", "done after a refusal"],
    ["o", "open"],
    ["w", "waiting for approval"],
    ["s", "stuck"],
    ["n", "next"],
    [".", "upcoming"],
    ["refused", "refused"],
    ["relayed", "relayed"],
    ["elicited", "approved"],
    ["proven", "proven"],
  ] as const;
  let x = margin;
  return said.flatMap(([sign, words]) => {
    const at = x;
    const wide = isMark(sign) ? 13 : 31;
    x += wide + words.length * 5.7 + 10;
    const drawn = isMark(sign) ? [mark(sign, at + 5, y - 1)] : cell(at, y, 26, 14, sign);
    return [...drawn, text(at + wide, y + 11, words, "quiet small", 40)];
  });
}

function isMark(sign: string): sign is Exclude<SpanMark["kind"], "declined"> {
  return ["refused", "relayed", "elicited", "proven"].includes(sign);
}

function isNone(counts: EvidenceCounts): boolean {
  return Object.values(counts).every((count) => count === 0);
}

/** The evidence as a bar of claimed and verified. */
function meter(x: number, y: number, wide: number, { differs, found, agrees, word }: EvidenceCounts): string[] {
  const parts = [
    ["differs", differs],
    ["verified", found + agrees],
    ["claimed", word],
  ] as const;
  const all = differs + found + agrees + word;
  let at = x;
  return parts.flatMap(([kind, count]) => {
    const [left, own] = [at, (wide * count) / Math.max(1, all)];
    at += own;
    if (count === 0) return [];
    return [`<rect class="${kind}" x="${fixed(left)}" y="${y}" width="${fixed(own)}" height="6"/>`];
  });
}

const laneHeight = 26;

function timeParts({ lanes }: PictureData, top: number, now: number): Drawn {
  const shown = lanes.slice(0, maxRows);
  const attempts = shown.flatMap((lane) => lane.attempts);
  if (attempts.length === 0) return { parts: [], bottom: top - 20 };
  const isOpen = attempts.some(({ state }) => state === "open");
  const until = isOpen ? now : lastTime(attempts);
  const left = margin + names;
  const scale = timeScale(timelineTimes(attempts, until), width - left - margin);
  const bottom = top + 24 + shown.length * laneHeight;
  const parts = [
    ...grid(scale, left, top, bottom),
    ...shown.flatMap(({ name, attempts: own }, at) => {
      const y = top + 24 + at * laneHeight;
      const spans = timelineSpans(own, scale, until).map(
        ({ kind, left: from, right }) =>
          `<rect class="${kind}" x="${fixed(left + from)}" y="${y + 4}" width="${fixed(Math.max(2, right - from))}" height="15" rx="2"/>`,
      );
      const marks = timelineMarks(own, scale).map(({ kind, x }) => mark(kind, left + x, y + 4));
      return [text(margin, y + 16, name, "name", 27), ...spans, ...marks];
    }),
  ];
  return { parts, bottom };
}

function grid(scale: TimeScale, left: number, top: number, bottom: number): string[] {
  const folds = scale.stretches.filter(({ isFolded }) => isFolded);
  const isFree = (x: number): boolean => folds.every((fold) => x < fold.left - 22 || x > fold.right + 12);
  const ticks = ticksOf(scale, 84, 0).filter(({ x }) => isFree(x) && x < width - left - margin - 36);
  // a run of a minute has its ticks at seconds
  const end = ticks.some(({ time }) => time % 60_000 !== 0) ? 19 : 16;
  let day = "";
  return [
    ...folds.flatMap(({ left: from, right }) => [
      `<rect class="fold" x="${fixed(left + from)}" y="${top + 18}" width="${fixed(right - from)}" height="${bottom - top - 18}"/>`,
      ...(right - from < 12
        ? []
        : [
            `<text class="quiet small" x="${fixed(left + (from + right) / 2)}" y="${top + 10}" text-anchor="middle">//</text>`,
          ]),
    ]),
    ...ticks.flatMap(({ time, x }) => {
      const at = new Date(time).toISOString();
      const isNew = at.slice(0, 10) !== day;
      day = at.slice(0, 10);
      const said = isNew ? `${at.slice(5, 10)} ${at.slice(11, end)}` : at.slice(11, end);
      return [
        `<line class="tick" x1="${fixed(left + x)}" x2="${fixed(left + x)}" y1="${top + 18}" y2="${bottom}"/>`,
        `<text class="quiet small" x="${fixed(left + x)}" y="${top + 10}" text-anchor="middle">${said}</text>`,
      ];
    }),
  ];
}

function mark(kind: SpanMark["kind"], x: number, y: number): string {
  switch (kind) {
    case "refused":
      return `<path class="refused" d="M${fixed(x - 4)} ${y + 3}l8 9m0 -9l-8 9"/>`;
    case "declined":
      return `<path class="declined" d="M${fixed(x - 5)} ${y - 1}h10l-5 8z"/>`;
    case "relayed":
    case "elicited":
    case "proven":
      return `<circle class="${kind}" cx="${fixed(x)}" cy="${y + 7.5}" r="4"/>`;
  }
}

function text(x: number, y: number, words: string, kind: string, most: number): string {
  return `<text class="${kind}" x="${fixed(x)}" y="${fixed(y)}">${escapeText(words, most)}</text>`;
}

/** Foreign text in a picture: one line, cut and escaped. */
function escapeText(words: string, most: number): string {
  return oneLine(words.slice(0, most * 8), most)
    .replaceAll(/[\p{Cs}\uFFFE\uFFFF]/gu, "�")
    .replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** Splits a name into two lines, at a word if possible. */
function splitInTwo(name: string, letters: number): readonly [string, string] {
  if (name.length <= letters) return [name, ""];
  const space = name.lastIndexOf(" ", letters);
  return space < letters / 3 ? [name, ""] : [name.slice(0, space), name.slice(space + 1)];
}

function fixed(value: number): string {
  return String(Math.round(value * 10) / 10);
}
