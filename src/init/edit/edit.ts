import type { HostFile, Part } from "../../hosts/host.ts";
import type { Circumstances, Edited } from "./edited.ts";
import { addToJson, removeFromJson } from "./json-parts.ts";
import { addToText, removeFromText } from "./text-parts.ts";
import { addToToml, removeFromToml } from "./toml-parts.ts";

const bom = "\uFEFF";

/** Adds all our parts to a file's text, or says why none is added. */
export function addParts(text: string, { syntax, parts }: HostFile, circumstances: Circumstances): Edited {
  const add = { json: addToJson, toml: addToToml, text: addToText }[syntax];
  return edited(text, parts, (now, part) => add(now, part, circumstances));
}

/** Takes all our parts out of a file's text, or says why none is taken out. */
export function removeParts(text: string, { syntax, parts }: HostFile): Edited {
  const remove = { json: removeFromJson, toml: removeFromToml, text: removeFromText }[syntax];
  const isForm = (part: Part): boolean => part.kind === "setting" && part.form === true;
  return edited(text, [...parts.filter((part) => !isForm(part)), ...parts.filter(isForm)], remove);
}

function edited(text: string, parts: readonly Part[], edit: (text: string, part: Part) => Edited): Edited {
  const mark = text.startsWith(bom) ? bom : "";
  let now = text.slice(mark.length);
  let kept: string | undefined;
  for (const part of parts) {
    const next = edit(now, part);
    if ("problem" in next) return next;
    now = next.text;
    kept = next.kept ?? kept;
  }
  return { text: mark + now, ...(kept === undefined ? {} : { kept }) };
}
