/** Where something stands in a text. */
export type Span = { readonly start: number; readonly end: number };

/** One value of a JSON text: its place, and that of its key where it has one. */
export type JsonPlace = { readonly value: Span; readonly key?: Span };

/** Every place of a JSON text by its path, and the keys that stand twice; or where the text stops being JSON. */
export type JsonScan =
  | {
      readonly places: ReadonlyMap<string, JsonPlace>;
      readonly duplicates: readonly Duplicate[];
      readonly levels: number;
    }
  | { readonly brokenAt: number; readonly endsEarly: boolean };

export type Duplicate = { readonly key: string; readonly at: number };

/** A way through a JSON document. */
export type JsonPath = readonly (string | number)[];

/** Scans a JSON text without recursion, so that no nesting is too deep for it. Never throws. */
export function scanJson(text: string): JsonScan {
  const scan: Scan = { text, places: new Map(), duplicates: [], open: [], levels: 0, wants: "value" };
  let at = 0;
  while (true) {
    at = skipBlanks(text, at);
    if (at >= text.length) break;
    const next = step(scan, at);
    if (next === undefined) return { brokenAt: at, endsEarly: isOpenText(text, at) };
    at = next;
  }
  if (scan.wants !== "nothing") return { brokenAt: Math.max(0, text.trimEnd().length - 1), endsEarly: true };
  return { places: scan.places, duplicates: scan.duplicates, levels: scan.levels };
}

/** The name of a path in `places`. */
export function nameOfPath(path: JsonPath): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Nobody writes a definition deeper than this; naming every path of one that is would take all memory. */
export const deepestNamed = 60;

type Frame = { readonly isList: boolean; readonly start: number; index: number; key: string; keySpan?: Span };

type Scan = {
  readonly text: string;
  readonly places: Map<string, JsonPlace>;
  readonly duplicates: Duplicate[];
  readonly open: Frame[];
  levels: number;
  wants: "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "nothing";
};

/** Takes one token; undefined where it cannot stand there. */
function step(scan: Scan, at: number): number | undefined {
  const char = scan.text.charAt(at);
  const inside = scan.open.at(-1);
  if (char === "}" || char === "]") return close(scan, at, char === "]");
  switch (scan.wants) {
    case "nothing":
      return undefined;
    case "colon":
      if (char !== ":") return undefined;
      scan.wants = "value";
      return at + 1;
    case "comma or end":
      if (char !== "," || inside === undefined) return undefined;
      inside.index += 1;
      scan.wants = inside.isList ? "value" : "key";
      return at + 1;
    case "key":
    case "key or end":
      return takeKey(scan, at);
    default:
      return takeValue(scan, at, char);
  }
}

function close(scan: Scan, at: number, isList: boolean): number | undefined {
  const frame = scan.open.at(-1);
  const mayEnd = scan.wants === "comma or end" || scan.wants === (isList ? "value or end" : "key or end");
  if (frame === undefined || frame.isList !== isList || !mayEnd) return undefined;
  scan.open.pop();
  note(scan, { start: frame.start, end: at + 1 });
  return at + 1;
}

function takeKey(scan: Scan, at: number): number | undefined {
  const end = endOfText(scan.text, at);
  const frame = scan.open.at(-1);
  if (end === undefined || frame === undefined) return undefined;
  frame.key = JSON.parse(scan.text.slice(at, end));
  frame.keySpan = { start: at, end };
  if (scan.open.length <= deepestNamed && scan.places.has(nameOfPath(pathOf(scan)))) {
    scan.duplicates.push({ key: frame.key, at });
  }
  scan.wants = "colon";
  return end;
}

function takeValue(scan: Scan, at: number, char: string): number | undefined {
  if (char === "{" || char === "[") {
    scan.open.push({ isList: char === "[", start: at, index: 0, key: "" });
    scan.levels = Math.max(scan.levels, scan.open.length);
    scan.wants = char === "[" ? "value or end" : "key or end";
    return at + 1;
  }
  const end = char === '"' ? endOfText(scan.text, at) : endOfWord(scan.text, at);
  if (end !== undefined) note(scan, { start: at, end });
  return end;
}

function note(scan: Scan, value: Span): void {
  const key = scan.open.at(-1)?.keySpan;
  if (scan.open.length <= deepestNamed) {
    scan.places.set(nameOfPath(pathOf(scan)), key === undefined ? { value } : { value, key });
  }
  scan.wants = scan.open.length === 0 ? "nothing" : "comma or end";
}

function pathOf({ open }: Scan): JsonPath {
  return open.map(({ isList, index, key }) => (isList ? index : key));
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at += 1;
  return at;
}

function endOfText(text: string, at: number): number | undefined {
  if (text.charAt(at) !== '"') return undefined;
  for (let end = at + 1; end < text.length; end++) {
    const char = text.charAt(end);
    if (char === '"') return end + 1;
    if (char < " ") return undefined;
    if (char !== "\\") continue;
    const escaped = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(end, end + 6))?.[0];
    if (escaped === undefined) return undefined;
    end += escaped.length - 1;
  }
  return undefined;
}

/** A text whose closing quote never comes. */
function isOpenText(text: string, at: number): boolean {
  return text.charAt(at) === '"' && !text.slice(at + 1).includes('"');
}

function endOfWord(text: string, at: number): number | undefined {
  const word = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
  word.lastIndex = at;
  return word.test(text) ? word.lastIndex : undefined;
}
