import type { Block } from "../markdown/blocks.ts";
import { askingAt, isExamplePlace } from "../markdown/gate-places.ts";
import type { Line } from "../markdown/lines.ts";
import { readType } from "../words/type-words.ts";
import type { Unclear } from "./demand.ts";
import { dataIn } from "./examples.ts";
import { isName } from "./names.ts";

/** Takes code where evidence is asked for as entries, if it is a list of names and types (`count: integer  # at least 1`); what is data of another shape is not understood. */
export function fieldBlocks(blocks: readonly Block[]): {
  readonly blocks: readonly Block[];
  readonly unclear: readonly Unclear[];
} {
  const unclear: Unclear[] = [];
  const laid = blocks.flatMap((block): readonly Block[] => {
    if (block.kind !== "code" || isExamplePlace(block.place) || askingAt(block.place) === "nothing") return [block];
    const { lang, value, position } = block.code;
    if (!/^(?:ya?ml|te?xt|plain)?$/i.test(lang ?? "")) return [block];
    const isFenced = value.split("\n").length < (position?.end.line ?? 1) - (position?.start.line ?? 1) + 1;
    const first = (position?.start.line ?? 1) + (isFenced ? 1 : 0);
    const entries = entriesIn(value, first);
    if (entries !== undefined)
      return entries.map((line) => ({ kind: "item", lines: [line], box: false, place: block.place }) as const);
    if (/^ya?ml$/i.test(lang ?? ""))
      unclear.push({
        line: first,
        message: "the YAML inside the gate is not a list of names and types, and is not read",
      });
    return [block];
  });
  return { blocks: laid, unclear };
}

/** The fields that data shows where evidence is asked for, though not as an example: what nothing asks for among them is reported. */
export function shownFields(blocks: readonly Block[]): readonly { readonly field: string; readonly line: number }[] {
  return blocks.flatMap((block) => {
    if (block.kind !== "code" || isExamplePlace(block.place) || askingAt(block.place) === "nothing") return [];
    const line = block.code.position?.start.line ?? 1;
    return Object.keys(dataIn(block.code.value, block.code.lang ?? "")).map((field) => ({ field, line }));
  });
}

/** Every line `name: type, rules  # more`; the name is marked, so that it is taken for one. */
function entriesIn(code: string, first: number): Line[] | undefined {
  const entries: Line[] = [];
  for (const [index, text] of code.split("\n").entries()) {
    if (/^\s*(?:#.*|---|evidence:|[{}]|)\s*$/.test(text)) continue;
    const [, name = "", said = "", comment = ""] =
      /^\s*(?:-\s+)?["'`]?([\p{L}\p{N}_-]+)["'`]?\s*[:=]\s*(.*?)\s*(?:(?:#|\/\/)\s*(.*))?,?$/u.exec(text) ?? [];
    if (!isName(name) || readType(said.replace(/^["'<]|["'>]$/g, "")) === undefined) return undefined;
    const words = `${name}: ${said.replace(/^["'<]|["'>]$/g, "")}${comment === "" ? "" : `, ${comment}`}`;
    entries.push({
      text: words,
      marks: [{ kind: "code", text: name, start: 0, end: name.length }],
      line: first + index,
    });
  }
  return entries.length === 0 ? undefined : entries;
}
