import { defined } from "../../../kit/defined.ts";
import type { JsonObject } from "../../../kit/json.ts";
import type { FilePart, HostFile, ServerPart } from "../../host.ts";
import type { EditResult, EntryFacts } from "./edit-result.ts";
import { addToJson, entryInJson, removeFromJson } from "./json-parts.ts";
import { addToText, removeFromText } from "./text-parts.ts";
import { addToToml, entryInToml, removeFromToml } from "./toml-parts.ts";

const bom = "\uFEFF";

/** Adds all our parts to a file's text, or says why it cannot. */
export function addParts(text: string, { syntax, parts }: HostFile, circumstances: EntryFacts): EditResult {
  const add = { json: addToJson, toml: addToToml, text: addToText }[syntax];
  return edited(text, parts, (now, part) => add(now, part, circumstances));
}

/** Removes all our parts from a file's text, or says why it cannot. */
export function removeParts(text: string, { syntax, parts }: HostFile): EditResult {
  const remove = { json: removeFromJson, toml: removeFromToml, text: removeFromText }[syntax];
  const isForm = (part: FilePart): boolean => part.kind === "setting" && part.form === true;
  return edited(text, [...parts.filter((part) => !isForm(part)), ...parts.filter(isForm)], remove);
}

/** Our server's entry in a file's text, with its program and arguments apart; or why the text cannot be read. */
export function entryIn(text: string, { syntax }: HostFile, part: ServerPart): EntryRead {
  const read = syntax === "toml" ? entryInToml : entryInJson;
  return read(text.startsWith(bom) ? text.slice(bom.length) : text, part);
}

/** An entry, undefined if there is none. */
export type EntryRead = { readonly entry: JsonObject | undefined } | { readonly problem: string };

function edited(
  text: string,
  parts: readonly FilePart[],
  edit: (text: string, part: FilePart) => EditResult,
): EditResult {
  const mark = text.startsWith(bom) ? bom : "";
  let now = text.slice(mark.length);
  let kept: string | undefined;
  for (const part of parts) {
    const next = edit(now, part);
    if ("problem" in next) return next;
    now = next.text;
    kept = next.kept ?? kept;
  }
  return { text: mark + now, ...defined({ kept }) };
}
