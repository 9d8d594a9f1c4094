import type { EvidenceType } from "../../workflow/gate.ts";
import type { Json } from "../../workflow/json.ts";

/** The values that words offer to choose from ("one of: low, medium or high"); undefined where they offer none. */
export function choicesIn(text: string, type: EvidenceType): readonly Json[] | "unclear" | undefined {
  const start =
    /\b(?:(?:is |be |exactly )?one of(?: the following)?|either|allowed values?|possible values?|valid values?)\b\s*[:=(]?\s*/i.exec(
      text,
    );
  if (start === null) return undefined;
  const tail = text.slice(start.index + start[0].length);
  const end = /[.;)\]}]\s*(?:$|\s)|\s[–—-]\s|\)|$/.exec(tail)?.index ?? tail.length;
  const listed = tail.slice(0, end).replace(/^[[({]/, "");
  const values = listed
    .split(/\s*(?:,\s*(?:or|and)\s|,|\/|\||\bor\b|\band\b)\s*/i)
    .map((part) => part.trim().replaceAll(/^["'“”‘’`]+|["'“”‘’`]+$/g, ""))
    .filter((part) => part !== "");
  const isPlain = values.every((value) => value.length <= 60 && value.split(" ").length <= 3);
  // "one of the tests" and "either way" offer nothing to choose from.
  if (values.length < 2)
    return /^(?:one of the\b(?! following)|either\b)/i.test(start[0] + tail) ? undefined : "unclear";
  if (!isPlain) return /^either/i.test(start[0]) ? undefined : "unclear";
  return values.map((value) => valueAs(value, type));
}

/** What a text must contain, where that stands in quotes or backticks. */
export function quotedAfter(text: string): string[] {
  return [
    ...text.matchAll(
      /\bmust (?:contain|include|mention)\s+(?:the (?:text|word|words|string|line|phrase) )?(?:"([^"]+)"|“([^”]+)”|'([^']+)'|`([^`]+)`)/gi,
    ),
  ].flatMap(([, ...quoted]) => quoted.find((part) => part !== undefined) ?? []);
}

function valueAs(written: string, type: EvidenceType): Json {
  if ((type === "integer" || type === "number") && /^-?\d+(?:\.\d+)?$/.test(written)) return Number(written);
  return written;
}
