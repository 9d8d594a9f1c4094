import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const home = join(import.meta.dirname, "../..");

/** The reader of prose: it is replaced soon, and its words are those of other people's documents. */
const notYet = [
  "definitions/phases/demands/",
  "definitions/phases/words/",
  "definitions/phases/markdown/context-kind.ts",
];

/** Words that made Waymark read as translated, and what a comment must not begin with. */
const never = [
  /\bstand(s|ing|ings)?\b/i,
  /\bstood\b/i,
  /\bmend(s|ed|ing)?\b/i,
  /\banew\b/i,
  /\b(whoever|whatever|wherever|nobody|somebody)\b/i,
  /\bof a no\b/i,
  /\bthe word of a person\b/i,
  /\b(is|are) wanted\b/i,
  /\bat last\b/i,
  /\bby its own words\b/i,
  /\bin the way\b/i,
  /\btold aside\b/i,
  /\bdesks?\b/i,
  /\bhand(ed|s|ing)? ?-?ins?\b/i,
  /\byardsticks?\b/i,
  /\bshelf\b/i,
  /\bbelie(f|ves?|ved)\b/i,
];
const neverFirst = /^\/\*\*\s*(What|Where|Whether|Who|Whose)\b/;

/** Names that are stored, sent or shown to programs: they keep what they are called. */
const serialized = new Set([
  "began_anew", // an event
  "handed_in", // an event
  "stands", // a key of `status --json` and of the dashboard's API
  "standing", // a key of the dashboard's API, and a table of the database
  "handIn", // keys of the dashboard's API
  "handIns",
  "handedIn", // a key of `status --json`
  "hand_in", // keys of `show --json`
  "hand_ins",
  "desk", // a key of exported histories, open views, attestations, and a column of the database
  "desks",
  "mended", // a key of `check --json`
  "#/runs?stands=", // an address of the dashboard
  "began anew", // recorded in notices
  "stands open",
]);

const sources = readdirSync(join(home, "src"), { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .filter((file) => !notYet.some((folder) => file.startsWith(folder)))
  .map((file) => {
    const text = readFileSync(join(home, "src", file), "utf8");
    return ts.createSourceFile(`src/${file}`, text, ts.ScriptTarget.Latest, true);
  });

test.each([
  ["names", namesIn],
  ["comments and texts", textsIn],
] as const)("the %s of src/ use plain words", (_, partsOf) => {
  const found = sources.flatMap((source) =>
    partsOf(source).flatMap(({ part, at }) => {
      if (isPlain(part)) return [];
      const { line } = source.getLineAndCharacterOfPosition(at);
      return [`${source.fileName}:${line + 1}: ${part.trim().slice(0, 120)}`];
    }),
  );
  expect(found).toEqual([]);
});

/** The pages for people, and the templates. */
const pages = [
  ...["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "CODE_OF_CONDUCT.md"],
  ...[".github", "docs", "templates"].flatMap((folder) =>
    readdirSync(join(home, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(md|ya?ml)$/.test(name))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
  ),
];

test.each(pages)("%s uses plain words", (page) => {
  const lines = withoutCode(readFileSync(join(home, page), "utf8")).split("\n");
  const found = lines.flatMap((line, at) => (isPlain(line) ? [] : [`${page}:${at + 1}: ${line.trim().slice(0, 120)}`]));
  expect(found).toEqual([]);
});

/** A page without its blocks and pieces of code, line by line. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$|`[^`\n]*`/gm, (code) => code.replaceAll(/[^\n]/g, ""));
}

/** A comment without the names it quotes and the parameters of statements it explains. */
function withoutQuotes(comment: string): string {
  return comment.replaceAll(/`[^`]*`|\$\d \w+/g, "");
}

type Part = { readonly part: string; readonly at: number };

const judged = new Map<string, boolean>();

/** Judges each name and text once: most of them occur many times. */
function isPlain(part: string): boolean {
  const known = judged.get(part);
  if (known !== undefined) return known;
  const words = inWords(part);
  const now = !never.some((word) => word.test(words)) && !neverFirst.test(part);
  judged.set(part, now);
  return now;
}

/** `handedIn` and `handed_in` are two words each. */
function inWords(part: string): string {
  return part.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}

function namesIn(source: ts.SourceFile): Part[] {
  const found: Part[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !serialized.has(node.text))
      found.push({ part: node.text, at: node.end - node.text.length });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function textsIn(source: ts.SourceFile): Part[] {
  const found: Part[] = [];
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [])
      found.push({ part: withoutQuotes(source.text.slice(pos, end)), at: pos });
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
    if (isText && !serialized.has(node.text) && !isSql(node.text) && !isJson(node.text))
      found.push({ part: node.text, at: node.getStart() });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...new Map(found.map((one) => [one.at, one])).values()];
}

/** SQL has the names of its columns. */
function isSql(text: string): boolean {
  return /\b(case when|select|insert|update|delete|create|alter|primary key)\b|\$[1-9]|^\.\w+ (where|last)\b/.test(
    text,
  );
}

/** A piece of JSON that is written by hand has the names of its keys. */
function isJson(text: string): boolean {
  return /^,?"\w+":/.test(text);
}
