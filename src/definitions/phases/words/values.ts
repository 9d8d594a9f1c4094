import type { EvidenceRule, EvidenceType } from "../../../workflow/gate.ts";
import type { Json } from "../../../workflow/json.ts";

/** The values that words offer to choose from ("one of: low, medium or high"); undefined where they offer none. */
export function choicesIn(text: string, type: EvidenceType): readonly Json[] | "unclear" | undefined {
  const start = offered.exec(text);
  if (start === null) return (setIn(text, type) ?? alternativesIn(text))?.map((value) => valueAs(value, type));
  const tail = text.slice(start.index + start[0].length);
  const end = /[.;)\]}]\s*(?:$|\s)|\s[–—-]\s|\)|$/.exec(tail)?.index ?? tail.length;
  const values = partsOf(tail.slice(0, end).replace(/^[[({]/, ""));
  const isPlain = values.every((value) => value.length <= 60 && value.split(" ").length <= 3);
  // "one of the tests" and "either way" offer nothing to choose from.
  if (values.length < 2)
    return /^(?:(?:one|any) of the\b(?! following)|either\b|choices|options)/i.test(start[0] + tail)
      ? undefined
      : "unclear";
  if (!isPlain) return /^(?:either|choices|options)/i.test(start[0]) ? undefined : "unclear";
  return values.map((value) => valueAs(value, type));
}

const offered =
  /\b(?:(?:is |be |exactly )?(?:(?<!at least )one of|any of(?=\s*[:(])|among)(?: the following)?(?: values?)?|either|enum|(?:allowed|possible|valid|permitted|accepted|acceptable|legal) (?:values?|choices|options|states?|levels?)(?: (?:are|is|include))?|(?:choices|options)(?= are|\s*[:=])(?: are)?|values(?=\s*[:=])|chosen from|picked from|selected from|choose (?:from|between))\b(?: (?:the following|these))?\s*[:=(]?\s*/i;

/** "in {a, b}", "∈ [low, high]"; two numbers in square brackets are the ends of a range. */
function setIn(text: string, type: EvidenceType): readonly string[] | undefined {
  if (type === "list" || type === "object") return undefined;
  const [, braced, bracketed] = /(?:∈|\bin)\s*`?(?:\{([^{}]+)\}|\[([^[\]]+)\])/i.exec(text) ?? [];
  const values = partsOf(braced ?? bracketed ?? "");
  const isRange = bracketed !== undefined && values.length === 2 && values.every((part) => /^-?[\d.]+$/.test(part));
  return values.length < 2 || isRange ? undefined : values;
}

/** The one value that words allow: `must be "green"`, "equals high", a quoted word that stands alone. */
export function valueIn(text: string): string | undefined {
  const [, ...said] =
    new RegExp(
      `\\b(?:(?:must|should|has to) (?:be|equal|read|say|be set to)|equals?(?: to)?|is set to|exactly|=+)\\s+(?:exactly |equal to )?(?:the (?:text|word|string|value) )?${quoted}`,
      "i",
    ).exec(text) ?? [];
  const [, plain] = /\b(?:must equal|equals)\s+([\p{L}][\p{L}\p{N}_-]*)(?=\s*(?:$|[,.;)]))/iu.exec(text) ?? [];
  const [, scaled = ""] = /\bmust be ([\p{L}-]+)(?=\s*(?:$|[,.;)]))/iu.exec(text) ?? [];
  return (
    said.find((part) => part !== undefined) ?? plain ?? (valueWords.test(scaled) ? scaled : undefined) ?? aloneIn(text)
  );
}

/** What a text must contain, where that stands in quotes or backticks. */
export function quotedAfter(text: string): string[] {
  return [
    ...text.matchAll(
      new RegExp(
        `\\bmust (?:contain|include|mention)\\s+(?:the (?:text|word|words|string|line|phrase) )?${quoted}`,
        "gi",
      ),
    ),
  ].flatMap(([, ...parts]) => parts.find((part) => part !== undefined) ?? []);
}

/** What a text must begin or end with, as a pattern. */
export function edgesIn(text: string): EvidenceRule[] {
  const token = `(?:${quoted}|([^\\s"“'\`]+))`;
  const read = (words: string, make: (found: string) => string): EvidenceRule[] =>
    [...text.matchAll(new RegExp(`\\b(?:${words})\\s+(?:the (?:text|word|letter|string) )?${token}`, "gi"))].flatMap(
      ([, ...parts]) => {
        const bare = parts[4]?.replace(/[.,;)]+$/, "");
        const found = parts.slice(0, 4).find((part) => part !== undefined) ?? (isLiteral(bare) ? bare : undefined);
        return found === undefined ? [] : [{ kind: "matches", pattern: make(found), flags: "" } as const];
      },
    );
  return [
    ...read("start(?:s|ing)? with|begin(?:s|ning)? with|prefixed (?:with|by)", (found) => `^${escaped(found)}`),
    ...read("end(?:s|ing)? (?:with|in)", (found) => `${escaped(found)}$`),
  ];
}

const quoted = "(?:\"([^\"]+)\"|“([^”]+)”|'([^']+)'|`([^`]+)`)";

/** Words that are the values of a scale or a state wherever they stand alone. */
const valueWords =
  /^(?:low|medium|moderate|high|critical|minor|major|blocker|pass|fail|passed|failed|success|failure|green|yellow|amber|red|yes|no|none|all|some|partial|full|on|off|open|closed|draft|final|approved|rejected|pending|done|small|large|fast|slow|strict|lax|enabled|disabled|good|bad|ok|never|always|stable|beta|alpha)$/i;

/** "starting with a summary" names no text; "starting with https://" does. */
function isLiteral(token: string | undefined): token is string {
  return token !== undefined && token !== "" && (/[^\p{L}]/u.test(token) || /^(?!a$)\p{L}$/iu.test(token));
}

/** Values that make up all that is said in one place: `low, medium or high`, `"yes" or "no"`, `fast|slow`. */
function alternativesIn(text: string): readonly string[] | undefined {
  for (const place of placesIn(text)) {
    const [lead = ""] =
      /^(?:(?:is|as|an?|either|the|value|string|text|integer|int|number|must be|should be|shall be|has to be|may be|can be|level)\s*[:,]?\s+)*/i.exec(
        place,
      ) ?? [];
    const rest = place.slice(lead.length);
    const value = "(?:\"[^\"]+\"|“[^”]+”|'[^']+'|`[^`]+`|-?\\d+\\.\\d+|[\\p{L}\\p{N}][\\p{L}\\p{N}_-]*)";
    const joined = new RegExp(`^${value}(?:\\s*(?:,\\s*or\\s|,|/|\\||\\sor\\s)\\s*${value})+$`, "iu");
    if (!joined.test(rest)) continue;
    const isAsked = /\b(?:must|should|may|can) be\b/i.test(lead) && /[/|]|\bor\b/.test(rest);
    const isMarked = partsOf(rest, false).every((part) => /^["“'`]/.test(part)) && /[/|,]|\bor\b/.test(rest);
    const values = partsOf(rest);
    const isCodes = values.every((part) => /^\p{Lu}{1,3}\d*$/u.test(part));
    const isScale = /[/|]|\bor\b/.test(rest) && (isCodes || values.some((part) => valueWords.test(part)));
    const isNumbers = values.every((part) => /^-?\d/.test(part));
    if (values.every((part) => /^(?:true|false)$/i.test(part)) || (isNumbers && !/\bor\b/.test(rest))) continue;
    if (isNumbers || isAsked || isMarked || isScale || /^[^,/]*\|/.test(rest)) return values;
  }
  return undefined;
}

function aloneIn(text: string): string | undefined {
  return placesIn(text)
    .map((place) =>
      /^(?:"([^"\s]+)"|“([^”\s]+)”)$/
        .exec(place)
        ?.slice(1)
        .find((part) => part !== undefined),
    )
    .find((value) => value !== undefined);
}

/** The parts of a text that say something each on its own. */
function placesIn(text: string): string[] {
  const inside = [...text.matchAll(/\(([^()]*)\)/g)].map(([, words = ""]) => words);
  return [...text.replaceAll(/\([^()]*\)/g, ";").split(/[;.](?=\s|$)/), ...inside].map((part) =>
    part.replace(/^[\s:=–—-]+/, "").replace(/[\s,]+$/, ""),
  );
}

function partsOf(listed: string, isBare = true): string[] {
  return listed
    .split(/\s*(?:,\s*(?:or|and)\s|,|\/|\||\bor\b|\band\b)\s*/i)
    .map((part) => (isBare ? part.trim().replaceAll(/^["'“”‘’`]+|["'“”‘’`]+$/g, "") : part.trim()))
    .filter((part) => part !== "");
}

function valueAs(written: string, type: EvidenceType): Json {
  if ((type === "integer" || type === "number") && /^-?\d+(?:\.\d+)?$/.test(written)) return Number(written);
  return written;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
