import type { Gap } from "../evidence/gate.ts";
import { canonical, type Json, type JsonObject } from "../evidence/json.ts";
import { walkOf } from "../overview/walk.ts";
import type { WalkedHandIn } from "../overview/walked-hand-ins.ts";
import type { Event } from "../workflow/events.ts";
import { paint, plain } from "./print.ts";
import { moment } from "./status-lines.ts";

/** One hand-in of an attempt as scripts get it: what was handed in, and what became of it. */
export type ShownOnce = {
  readonly number: number;
  readonly at: string;
  readonly client?: string;
  readonly outcome: WalkedHandIn["outcome"];
  readonly code?: string;
  readonly missing?: readonly Gap[];
  readonly same_gaps?: true;
  readonly reason?: string;
  readonly outputs: JsonObject;
  readonly evidence: JsonObject;
  readonly content: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
};

/** Every hand-in of an attempt, oldest first, from what is on record of it. */
export function shownHandIns(events: readonly Event[]): readonly ShownOnce[] {
  const handIns = walkOf(events).at(-1)?.handIns ?? [];
  return handIns.map(({ number, at, client, outcome, code, missing, sameGaps, reason, ...handed }) => ({
    ...{ number, at, outcome },
    ...(client === undefined ? {} : { client }),
    ...(code === undefined ? {} : { code }),
    ...(missing === undefined ? {} : { missing }),
    ...(sameGaps ? { same_gaps: true } : {}),
    ...(reason === undefined ? {} : { reason }),
    outputs: handed.outputs ?? {},
    evidence: handed.evidence ?? {},
    content: (handed.content ?? []).map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
  }));
}

/** The hand-ins of an attempt for a person, where there were several, and what the last one has otherwise than the one before. */
export function handInLines(handIns: readonly ShownOnce[]): string[] {
  const [before, last] = handIns.slice(-2);
  if (before === undefined || last === undefined) return [];
  const differences = differencesOf(before, last);
  return [
    "",
    paint("bold", `Handed in ${handIns.length} times`),
    ...handIns.slice(-mostShown).map(onceLine),
    ...(differences.length === 0
      ? [`  Nothing is otherwise than in hand-in ${before.number}.`]
      : [`  Otherwise than in hand-in ${before.number}:`, ...differences.map((one) => `    ${one}`)]),
  ];
}

/** So many hand-ins are listed; scripts get all. */
const mostShown = 5;

function onceLine({ number, at, client, outcome, code, missing = [], same_gaps, reason }: ShownOnce): string {
  const what = outcome === "refused" ? `refused (${code})` : outcome;
  const gaps = missing.map(({ field }) => plain(field)).join(", ");
  const said = [
    gaps === "" ? "" : `missing ${gaps}`,
    same_gaps ? "the same as before" : "",
    reason === undefined ? "" : `"${plain(reason)}"`,
    client === undefined ? "" : plain(client),
  ].filter((part) => part !== "");
  const line = `  ${number}  ${moment(at)}  ${what}${said.length === 0 ? "" : `: ${said.join("; ")}`}`;
  return outcome === "refused" || outcome === "declined" ? paint("red", line) : line;
}

/** What two hand-ins differ in: a line for each output, field of the evidence and file. */
export function differencesOf(before: ShownOnce, last: ShownOnce): string[] {
  return [
    ...valueDifferences(before.evidence, last.evidence),
    ...valueDifferences(before.outputs, last.outputs),
    ...fileDifferences(before, last),
  ];
}

function valueDifferences(before: JsonObject, last: JsonObject): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(last)])];
  return names.flatMap((name) => {
    const [from, to] = [own(before, name), own(last, name)];
    if (from !== undefined && to !== undefined && canonical(from) === canonical(to)) return [];
    return [
      `${plain(name)}: ${from === undefined ? "not there" : short(from)} → ${to === undefined ? "gone" : short(to)}`,
    ];
  });
}

function fileDifferences(before: ShownOnce, last: ShownOnce): string[] {
  const hashes = new Map(before.content.map(({ path, sha256 }) => [path, sha256]));
  return last.content.flatMap(({ path, sha256, bytes }) => {
    const known = hashes.get(path);
    if (known === sha256) return [];
    return [`${plain(path)}: ${known === undefined ? "not there →" : "changed,"} ${bytes} bytes`];
  });
}

function own(values: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function short(value: Json): string {
  const text = plain(JSON.stringify(value));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
