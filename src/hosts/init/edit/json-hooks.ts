import {
  andThen,
  appendAt,
  type EditStep,
  type OpenJson,
  type Path,
  removeAt,
  setAt,
  valueAt,
} from "../../../kit/edit-json.ts";
import { isObject, type JsonObject } from "../../../kit/json.ts";
import { isSameData } from "../../../kit/same-data.ts";
import { isOurHook } from "../../hook-parts.ts";
import type { HookPart } from "../../host.ts";
import { type EditResult, type EntryFacts, keptHookReason } from "./edit-result.ts";
import { isOwnLine } from "./own-line.ts";

/** One of our calls in an event's list. */
type OurCall = {
  readonly path: Path;
  readonly call: JsonObject;
  /** The path to remove with it: its group if it is alone there. */
  readonly whole: Path;
};

/** The keys that hosts use for the shell line. */
const lineKeys = ["command", "bash", "powershell"] as const;

/** Puts our call once into an event's list; other entries stay, and of ours only the line changes. */
export function addHook(open: OpenJson, { at, entry }: HookPart, circumstances: EntryFacts): EditResult {
  const list = valueAt(open, at);
  if (list === undefined) return edited(setAt(open, at, [entry]));
  const [first, ...others] = ourCalls(open, at);
  if (first === undefined) return edited(appendAt(open, at, entry));
  const wanted = callIn(entry);
  const calls = [first, ...others].map(({ call }) => call);
  if (calls.some((call) => isSameLine(call, wanted))) {
    const isOurs = Array.isArray(list) && list.some((one) => isSameData(one, entry));
    return { text: open.text, ...(isOurs ? {} : { kept: keptHookReason }) };
  }
  if (calls.some((call) => isOwnPath(call, circumstances))) return { text: open.text, kept: keptHookReason };
  // From the end, so that earlier paths stay valid.
  const cleared = others.reduceRight<EditStep>((step, { whole }) => andThen(step, (now) => removeAt(now, whole)), open);
  return edited(
    lineKeys
      .filter((key) => wanted[key] !== undefined)
      .reduce<EditStep>(
        (step, key) => andThen(step, (now) => setAt(now, [...first.path, key], String(wanted[key]))),
        cleared,
      ),
  );
}

/** Removes our calls from an event's list; a group goes if it held nothing else. */
export function removeHooks(open: OpenJson, { at }: HookPart): EditStep {
  const [next] = ourCalls(open, at);
  return next === undefined
    ? open
    : andThen(removeAt(open, next.whole), (now) => removeHooks(now, { kind: "hook", at, entry: {} }));
}

/** Our calls among the members of a list or of its groups. */
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

function isOwnPath(call: JsonObject, circumstances: EntryFacts): boolean {
  const line = lineKeys.map((key) => call[key]).find((one) => typeof one === "string");
  return typeof line === "string" && isOwnLine(line, circumstances);
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function edited(step: EditStep): EditResult {
  return "problem" in step ? step : { text: step.text };
}
