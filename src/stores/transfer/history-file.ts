import type { SignedHead } from "../../audit/ports.ts";
import type { DeskId } from "../../engine/ports.ts";
import { isObject } from "../../evidence/json.ts";
import { runName } from "../../evidence/run-name.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";
import { isShallow } from "../projections/json-text.ts";
import { readHead } from "../signed-head.ts";

/** One line of a file that carries histories from one store to another. The first says what it is, the last how much there was. */
export type HistoryLine =
  | { readonly waymark_history: 1; readonly exported_at: string }
  | { readonly desk: MovedDesk; readonly head: string }
  | { readonly record: string }
  | { readonly aside: string }
  | { readonly signed: SignedHead }
  | { readonly content: MovedContent }
  | { readonly pin: string }
  | { readonly end: { readonly desks: number; readonly records: number } };

/** A desk, and the area of the project that it is in. */
export type MovedDesk = DeskId & { readonly area: string };

/** What was handed in at one step and is at hand: the files on record, and their texts by hash. */
export type MovedContent = {
  readonly ref: StepRef;
  readonly isCompleted: boolean;
  readonly records: readonly ContentRecord[];
  readonly texts: Readonly<Record<string, string>>;
};

/** Reads one line; undefined where it is none. What it says is checked by whoever goes by it. */
export function readHistoryLine(text: string): HistoryLine | undefined {
  const value: unknown = parse(text);
  if (!isObject(value) || !isShallow(value, deepest)) return undefined;
  const { waymark_history, exported_at, desk, head, record, aside, signed, content, pin, end } = value;
  if (waymark_history === 1) return { waymark_history, exported_at: String(exported_at) };
  const moved = isObject(desk) && typeof head === "string" ? readDesk(desk) : undefined;
  if (moved !== undefined) return { desk: moved, head: String(head) };
  if (typeof record === "string") return { record };
  if (typeof aside === "string") return { aside };
  if (typeof pin === "string") return { pin };
  const signature = isObject(signed) ? readHead(JSON.stringify(signed)) : undefined;
  if (signature !== undefined) return { signed: signature };
  const held = isObject(content) ? readContent(content) : undefined;
  if (held !== undefined) return { content: held };
  if (isObject(end)) return { end: { desks: Number(end.desks), records: Number(end.records) } };
  return undefined;
}

/** No line goes deeper; what reads it on would run out of stack. */
const deepest = 20;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function readDesk({ kind, name, run, area }: Fields): MovedDesk | undefined {
  if ((kind !== "bot" && kind !== "session") || !isName(name) || name === "" || !isName(area)) return undefined;
  if (run === undefined) return { kind, name, area };
  return typeof run === "string" && kind === "bot" && runName(run) === run ? { kind, name, run, area } : undefined;
}

/** What names something here is printed, and makes a file name. */
function isName(value: unknown): value is string {
  return typeof value === "string" && value.length <= 200 && !/[\p{Cc}\p{Cf}]/u.test(value);
}

function readContent({ ref, isCompleted, records, texts }: Fields): MovedContent | undefined {
  if (!isObject(ref) || !Array.isArray(records) || !isObject(texts)) return undefined;
  const { workflow, pass, step, attempt } = ref;
  if (typeof workflow !== "string" || typeof step !== "string") return undefined;
  const read = records.flatMap((one: unknown): readonly ContentRecord[] => {
    if (!isObject(one) || typeof one.path !== "string" || typeof one.sha256 !== "string") return [];
    const marked = one.readable === true ? { readable: true as const } : {};
    return [{ path: one.path, bytes: Number(one.bytes), sha256: one.sha256, ...marked }];
  });
  return {
    ref: { workflow, pass: Number(pass), step, attempt: Number(attempt) },
    isCompleted: isCompleted === true,
    records: read,
    texts: Object.fromEntries(Object.entries(texts).map(([hash, text]) => [hash, String(text)])),
  };
}
