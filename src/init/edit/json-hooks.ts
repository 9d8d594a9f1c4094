import { isOurHook } from "../../hosts/hook-parts.ts";
import type { HookPart } from "../../hosts/host.ts";
import { type Circumstances, type Edited, ownHook } from "./edited.ts";
import {
  andThen,
  appendAt,
  isObject,
  type JsonObject,
  type OpenJson,
  type Path,
  removeAt,
  type Step,
  setAt,
  valueAt,
} from "./json-text.ts";
import { isOwnLine } from "./own-line.ts";
import { isSameData } from "./same-data.ts";

/** A call of ours that stands in the list of an event. */
type OurCall = {
  readonly path: Path;
  readonly call: JsonObject;
  /** What goes with it: its group, where nothing else stands in there. */
  readonly whole: Path;
};

/** The keys under which the hosts want the line for the shell. */
const lineKeys = ["command", "bash", "powershell"] as const;

/** Our call once in the list of its event. What others have there stays, beside it in the same group too, and so does everything of ours but the line. */
export function addHook(open: OpenJson, { at, entry }: HookPart, circumstances: Circumstances): Edited {
  const list = valueAt(open, at);
  if (list === undefined) return edited(setAt(open, at, [entry]));
  const [first, ...others] = ourCalls(open, at);
  if (first === undefined) return edited(appendAt(open, at, entry));
  const wanted = callIn(entry);
  const calls = [first, ...others].map(({ call }) => call);
  if (calls.some((call) => isSameLine(call, wanted))) {
    const isOurs = Array.isArray(list) && list.some((one) => isSameData(one, entry));
    return { text: open.text, ...(isOurs ? {} : { kept: ownHook }) };
  }
  if (calls.some((call) => isOwnWay(call, circumstances))) return { text: open.text, kept: ownHook };
  // From the end, so that the places before stay what they are.
  const cleared = others.reduceRight<Step>((step, { whole }) => andThen(step, (now) => removeAt(now, whole)), open);
  return edited(
    lineKeys
      .filter((key) => wanted[key] !== undefined)
      .reduce<Step>(
        (step, key) => andThen(step, (now) => setAt(now, [...first.path, key], String(wanted[key]))),
        cleared,
      ),
  );
}

/** Takes our calls out of the list of an event; a group goes where it held nothing else. */
export function removeHooks(open: OpenJson, { at }: HookPart): Step {
  const [next] = ourCalls(open, at);
  return next === undefined
    ? open
    : andThen(removeAt(open, next.whole), (now) => removeHooks(now, { kind: "hook", at, entry: {} }));
}

/** The calls of ours: the members of the list themselves, or those of its groups. */
function ourCalls(open: OpenJson, at: Path): readonly OurCall[] {
  return listIn(valueAt(open, at)).flatMap((member, index): OurCall[] => {
    const path = [...at, index];
    if (!isObject(member)) return [];
    if (!Array.isArray(member.hooks)) return isOurHook(member) ? [{ path, call: member, whole: path }] : [];
    const calls = listIn(member.hooks);
    return calls.flatMap((call, place): OurCall[] => {
      const inner = [...path, "hooks", place];
      return isObject(call) && isOurHook(call) ? [{ path: inner, call, whole: calls.length === 1 ? path : inner }] : [];
    });
  });
}

function callIn(entry: HookPart["entry"]): JsonObject {
  const [call] = listIn(entry.hooks);
  return isObject(call) ? call : entry;
}

function isSameLine(call: JsonObject, wanted: JsonObject): boolean {
  return lineKeys.every((key) => wanted[key] === undefined || call[key] === wanted[key]);
}

function isOwnWay(call: JsonObject, circumstances: Circumstances): boolean {
  const line = lineKeys.map((key) => call[key]).find((one) => typeof one === "string");
  return typeof line === "string" && isOwnLine(line, circumstances);
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function edited(step: Step): Edited {
  return "problem" in step ? step : { text: step.text };
}
