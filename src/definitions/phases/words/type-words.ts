import type { EvidenceType } from "../../../workflow/gate.ts";

/** What the words around a field say about its type. */
export type TypeRead = { readonly type: EvidenceType; readonly certainty: "written" | "read" | "assumed" };

/** Reads a type that is written down as a type (`integer`, `list of strings`, `string[]`); undefined where the word is none. */
export function readType(written: string): EvidenceType | undefined {
  const word = written.trim().toLowerCase().replaceAll("`", "");
  if (/^(?:list|array)\b|^\w+\[\]$|^(?:list|array|set|tuple)[<[(]/.test(word)) return "list";
  return spellings.get(word.replace(/[\s,;(:[{<>=≥≤].*$/s, ""));
}

/** Finds the type that a text states of a field: `(integer)`, `[list, required]`, `: boolean`, `as an integer`. */
export function findStatedType(text: string): EvidenceType | undefined {
  if (listOfType.test(text)) return "list";
  for (const [, inside = ""] of text.matchAll(/[([]([^)\]]*)[)\]]/g)) {
    for (const part of inside.split(/[,;|]/)) {
      const type = isTypeAlone(part) ? readType(part.replace(/^\s*(?:an?|type:?|non-?empty)\s+/i, "")) : undefined;
      if (type !== undefined) return type;
    }
  }
  const [, said = ""] =
    /^\s*(?:[:=–—-]|as|is|must be|should be)?\s*(?:an? |type:? ?)?(integer|int|boolean|bool|float|decimal|string|array|object|dict|list)s?\b(?!\s+of\b)(?=\s*(?:$|[,.;:()<>=≥≤–—-]|greater|more|less|fewer|no |not |at |up |that|which|must|between|from|in |exactly|equal|with|non))/i.exec(
      text,
    ) ??
    // "— number, greater than 0" is a type as "(number)" is; "number of tests" is not.
    /^\s*[:=–—]\s*(?:type:? ?)?(number)(?=\s*(?:$|;|,|\.(?!\d)))/i.exec(text) ??
    /\b(?:as|is|be|both|all) (?:an? )?(integer|boolean|float|string|array|object|list)s?\b/i.exec(text) ??
    [];
  return said === undefined ? undefined : readType(said);
}

/** Infers a type from a field's name and the words about it; the name's last part and the first telling word decide. */
export function inferType(field: string, text: string): TypeRead {
  const stated = findStatedType(text);
  const named = typeOfName(field);
  // "`call_count` (number)": a number of things is a whole one.
  if (stated === "number" && named === "integer" && /\bnumber\b/i.test(text)) return { type: named, certainty: "read" };
  if (stated !== undefined) return { type: stated, certainty: "written" };
  if (named !== undefined) return { type: named, certainty: "read" };
  const told = firstTelling(text) ?? typeOfAnyPart(field);
  return told === undefined ? { type: "string", certainty: "assumed" } : { type: told, certainty: "read" };
}

/** What a field's name says of its type by itself: `test_count`, `functions_list`, `is_clean`. */
export function typeOfName(field: string): EvidenceType | undefined {
  const parts = field.toLowerCase().split(/[_-]/);
  const last = parts.at(-1) ?? "";
  if (parts.length > 1 && !/^(?:outputs|texts|commands)$/.test(last) && telling.has(last)) return telling.get(last);
  if (/^(?:number|count|list|array)_of_/.test(field.toLowerCase())) return telling.get(parts[0] ?? "");
  return /^(?:is|has|are|was|were)_/.test(field.toLowerCase()) ? "boolean" : undefined;
}

/**
 * The type of the thing that a description begins with: "number of tests", "the full list of calls", "version string".
 * Undefined where the words make a statement about it: "output checked", "list is complete".
 */
export function typeAtStart(text: string): EvidenceType | undefined {
  const start = text.replace(/^[\s;:=(–—-]+/, "");
  const [whole = "", word = ""] =
    /^(?:(?:as|the|an?|your|total|full|complete|exact|whole|json|non-?empty|optional|positive|decimal|short|raw|sorted)\s+)*(true\/false|yes\/no|[a-z]+)\b/i.exec(
      start,
    ) ?? [];
  const after = start.slice(whole.length);
  if (statement.test(after)) return undefined;
  if (/^[\w-]+ in [a-z]+\s*(?:$|[,;.()])/i.test(start) && inUnit.test(start.toLowerCase())) return "number";
  if (/^how many\b/i.test(start) || /^total\s/i.test(start)) return "integer";
  const [, last = ""] = /^[\w-]+\s+(?:[\w-]+\s+)?([a-z]+)\s*(?=$|[,;.(<>=≥≤])/i.exec(start) ?? [];
  const named =
    /^\s*(?:$|[,;.()]|(?:of|to|for|from|string)\b)/i.test(after) &&
    /^(?:ur[il]|link|e-?mail|date|timestamp|version|hash|sha|commit|name|id|identifier|filename|title)$/i.test(word);
  return (
    telling.get(word.toLowerCase()) ??
    (/^map$/i.test(word) ? "object" : named ? "string" : telling.get(last.toLowerCase()))
  );
}

/** `string[]`, wherever it stands as the type. */
const listOfType =
  /(?:^|[\s:(`|])(?:str(?:ing)?|int(?:eger)?|number|float|bool(?:ean)?|object|any|path|file|text)\[\](?=$|[\s,;.)`|])/i;

const statement =
  /^\s*(?:is|are|was|were|has|have|had|pass(?:es)?|match(?:es)?|works?|contains?|shows?|exists?|looks?|runs?|succeeds?|fails?|does|do|can|[a-z]+ed|written|shown|known|done|taken|given|complete|correct|clean)\b/i;

function isTypeAlone(part: string): boolean {
  return /^\s*(?:an?\s+|type:?\s*|non-?empty\s+)?(?:(?:list|array)\b.*|[a-z]+(?:\[.*\])?)\s*(?:(?:>=|<=|[<>=≥≤]).*)?$/i.test(
    part,
  );
}

function firstTelling(text: string): EvidenceType | undefined {
  const words = text.toLowerCase();
  if (/%|\bper ?cent|\bpercentage|\bratio\b/.test(words.replace(/\([^)]*\)/g, "")) && !/\b(?:list|array)\b/.test(words))
    return "number";
  if (/^[\s;:=(–—-]*how many\b|^[\s;:=(–—-]*total\s/.test(words)) return "integer";
  if (/^[\s;:=(–—-]*yes\s*(?:$|[;,.)])/.test(words)) return "boolean";
  if (/^[\s;:=(–—-]*(?:an? )?map of\b/.test(words)) return "object";
  let told: EvidenceType | undefined;
  let end = -1;
  for (const { 0: word, index } of words.matchAll(/true\/false|yes\/no|\b[a-z]+\b/g)) {
    const type = telling.get(word);
    // Of words that stand together the last is the thing: a path list is a list.
    if (type !== undefined && (told === undefined || /^\s$/.test(words.slice(end, index)))) told = type;
    else if (told !== undefined) break;
    end = index + word.length;
  }
  return told ?? (inUnit.test(words) ? "number" : undefined);
}

/** "duration in seconds" is measured. */
const inUnit = /\bin (?:milli)?(?:seconds|ms|minutes|hours|days|bytes|kb|mb|gb)\b/;

function typeOfAnyPart(field: string): EvidenceType | undefined {
  return field
    .toLowerCase()
    .split(/[_-]/)
    .map((part) => (part === "total" ? "integer" : telling.get(part)))
    .find((type) => type !== undefined);
}

const spellings = new Map<string, EvidenceType>([
  ["boolean", "boolean"],
  ["bool", "boolean"],
  ["flag", "boolean"],
  ["integer", "integer"],
  ["int", "integer"],
  ["count", "integer"],
  ["number", "number"],
  ["float", "number"],
  ["double", "number"],
  ["decimal", "number"],
  ["numeric", "number"],
  ["percent", "number"],
  ["percentage", "number"],
  ["ratio", "number"],
  ["enum", "string"],
  ["string", "string"],
  ["str", "string"],
  ["text", "string"],
  ["path", "string"],
  ["list", "list"],
  ["array", "list"],
  ["object", "object"],
  ["dict", "object"],
  ["dictionary", "object"],
  ["map", "object"],
  ["mapping", "object"],
]);

/** The words of seed 004 that tell a type, and those that say the same. */
const telling = new Map<string, EvidenceType>([
  ...["count", "counts", "number", "numbers", "quantity", "quantities", "integer"].map(is("integer")),
  ...["list", "lists", "array", "arrays", "collection", "collections"].map(is("list")),
  ...["output", "outputs", "text", "texts", "command", "commands", "string", "path", "summary"].map(is("string")),
  ...["flag", "flags", "boolean", "true", "false", "true/false", "yes/no", "whether"].map(is("boolean")),
  ...["percent", "percentage", "ratio", "rate", "pct", "float", "decimal", "double"].map(is("number")),
  ...["object", "mapping", "dictionary", "dict"].map(is("object")),
]);

function is(type: EvidenceType): (word: string) => [string, EvidenceType] {
  return (word) => [word, type];
}
