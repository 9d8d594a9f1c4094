import { asName } from "../bots/names.ts";
import type { Mend } from "./finding.ts";
import { type JsonPath, type JsonPlace, nameOfPath, scanJson } from "./json-scan.ts";

/** Sets one key of a JSON object and touches nothing else: the new entry is laid out like the one before it. */
export function setKey(key: string, value: string | number | null): Mend {
  return (text) => {
    const places = placesIn(text);
    const place = places?.get(nameOfPath([key]));
    if (places === undefined) return text;
    const written = JSON.stringify(value);
    if (place !== undefined) return replaced(text, place.value.start, place.value.end, written);
    const last = lastEntry(places);
    if (last?.key === undefined) {
      const whole = places.get("")?.value;
      if (whole === undefined || text.charAt(whole.start) !== "{") return text;
      return replaced(text, whole.start, whole.end, `{ ${JSON.stringify(key)}: ${written} }`);
    }
    const lead = /\s*$/.exec(text.slice(0, last.key.start))?.[0] ?? "";
    const colon = text.slice(last.key.end, last.value.start);
    return replaced(text, last.value.end, last.value.end, `,${lead}${JSON.stringify(key)}${colon}${written}`);
  };
}

/** Takes the bare names out of a list that stand in it a second time. */
export function dropRepeatedNames(list: JsonPath): Mend {
  return (text) => {
    const places = placesIn(text);
    const seen = new Set<string>();
    let mended = text;
    let shift = 0;
    for (let index = 0; ; index++) {
      const item = places?.get(nameOfPath([...list, index]))?.value;
      if (item === undefined) return mended;
      const name = nameIn(text.slice(item.start, item.end));
      const before = places?.get(nameOfPath([...list, index - 1]))?.value;
      const isBare = text.charAt(item.start) === '"';
      if (name !== undefined && seen.has(name) && isBare && before !== undefined) {
        mended = replaced(mended, before.end - shift, item.end - shift, "");
        shift += item.end - before.end;
      }
      if (name !== undefined) seen.add(name);
    }
  };
}

/** Ends a text with one line end, the kind it has elsewhere. */
export const dropTrailingBlankLines: Mend = (text) => {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  return text.trim() === "" ? text : `${text.trimEnd()}${end}`;
};

/** Some edits one after the other; a byte order mark stays where it is. */
export function mendAll(mends: readonly Mend[]): Mend {
  return (text) => {
    const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    return mark + mends.reduce((mended, mend) => mend(mended), text.slice(mark.length));
  };
}

function placesIn(text: string): ReadonlyMap<string, JsonPlace> | undefined {
  const scan = scanJson(text);
  return "places" in scan ? scan.places : undefined;
}

function lastEntry(places: ReadonlyMap<string, JsonPlace>): JsonPlace | undefined {
  const entries = [...places].filter(([name]) => /^\/[^/]*$/.test(name)).map(([, place]) => place);
  return entries.sort((a, b) => b.value.end - a.value.end)[0];
}

function nameIn(written: string): string | undefined {
  const value: unknown = JSON.parse(written);
  const name = typeof value === "object" && value !== null && "name" in value ? value.name : value;
  return typeof name === "string" ? asName(name) : undefined;
}

function replaced(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}
