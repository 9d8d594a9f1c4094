import type { SignedHead } from "../../engine/ports/signed-heads.ts";
import { isObject, parsedJson } from "../../kit/json.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";
import { runName } from "../../workflow/run-name.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { parseHead } from "../parse-head.ts";
import { isShallow } from "../projections/json-text.ts";

/** One line of an export file; the first identifies the format, the last counts the lines. */
export type HistoryLine =
  | { readonly waymark_history: 1; readonly exported_at: string }
  | { readonly desk: MovedStream; readonly head: string }
  | { readonly record: string }
  | { readonly aside: string }
  | { readonly signed: SignedHead }
  | { readonly content: MovedContent }
  | { readonly pin: string }
  | { readonly end: { readonly desks: number; readonly records: number } };

/** A stream and its area in the project. */
export type MovedStream = StreamId & { readonly area: string };

/** The available content of one step: recorded files, and texts by hash. */
export type MovedContent = {
  readonly ref: StepRef;
  readonly isCompleted: boolean;
  readonly records: readonly ContentRecord[];
  readonly texts: Readonly<Record<string, string>>;
};

/** Parses one line; undefined if it is invalid. Its content is checked by its user. */
export function readHistoryLine(text: string): HistoryLine | undefined {
  const value: unknown = parsedJson(text);
  if (!isObject(value) || !isShallow(value, deepest)) return undefined;
  const { waymark_history, exported_at, desk: stream, head, record, aside: forked, signed, content, pin, end } = value;
  if (waymark_history === 1) return { waymark_history, exported_at: String(exported_at) };
  const moved = isObject(stream) && typeof head === "string" ? readStream(stream) : undefined;
  if (moved !== undefined) return { desk: moved, head: String(head) };
  if (typeof record === "string") return { record };
  if (typeof forked === "string") return { aside: forked };
  if (typeof pin === "string") return { pin };
  const signature = isObject(signed) ? parseHead(JSON.stringify(signed)) : undefined;
  if (signature !== undefined) return { signed: signature };
  const held = isObject(content) ? readContent(content) : undefined;
  if (held !== undefined) return { content: held };
  if (isObject(end)) return { end: { desks: Number(end.desks), records: Number(end.records) } };
  return undefined;
}

/** The deepest nesting of a line; deeper would overflow later readers. */
const deepest = 20;

type Fields = Readonly<Record<string, unknown>>;

function readStream({ kind, name, run, area }: Fields): MovedStream | undefined {
  if ((kind !== "bot" && kind !== "session") || !isName(name) || name === "" || !isName(area)) return undefined;
  if (run === undefined) return { kind, name, area };
  return typeof run === "string" && kind === "bot" && runName(run) === run ? { kind, name, run, area } : undefined;
}

/** Names are printed and become file names. */
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
