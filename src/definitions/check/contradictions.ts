import type { RuleCheck } from "../../evidence/rule.ts";
import { re2 } from "../../libraries.ts";
import { oneLine } from "../one-line.ts";
import type { Noted } from "./finding.ts";
import type { PlacedCheck } from "./placed-checks.ts";
import { findSchemaContradiction } from "./schema-contradictions.ts";

/** Reports checks that no content can pass, alone or two together; only what is certain is reported. */
export function findContradictions(placed: readonly PlacedCheck[]): Noted[] {
  const alone = placed.flatMap((one) => {
    const reason = hopeless(one.check);
    return reason === undefined ? [] : [note(one, reason)];
  });
  const together = placed.flatMap((one, index) =>
    placed.slice(0, index).flatMap((earlier) => {
      if (one.check.glob !== earlier.check.glob) return [];
      const reason = clash(one.check, earlier.check) ?? clash(earlier.check, one.check);
      return reason === undefined ? [] : [note(one, `${reason} (see the rule ${earlier.rule})`)];
    }),
  );
  return [...alone, ...together];
}

function note({ path, rule, lineOf }: PlacedCheck, reason: string): Noted {
  const fix = "Change one of the demands, or delete it.";
  const line = lineOf("pattern", "headings", "words", "schema", "schema_file", "lines", "characters", "limit");
  return { code: "unsatisfiable-rule", path, line, message: `no content can satisfy ${rule}: ${reason}`, fix };
}

function hopeless(check: RuleCheck): string | undefined {
  if (check.kind === "max_length" && check.limit < 1) return `at most ${check.limit} ${check.unit} leaves no room`;
  if (check.kind === "must_not_match" && matchesEverything(check)) return `/${check.pattern}/ matches every text`;
  return check.kind === "json_schema" ? findSchemaContradiction(check.schema) : undefined;
}

/** Why two checks over the same files cannot both hold. */
function clash(wanted: RuleCheck, banned: RuleCheck): string | undefined {
  if (wanted.kind === "required_headings") return clashWithHeadings(wanted.headings, banned);
  if (wanted.kind !== "must_match") return undefined;
  if (banned.kind === "must_not_match" && banned.pattern === wanted.pattern && sameFlags(banned, wanted)) {
    return `/${wanted.pattern}/ must match and must not match`;
  }
  const word =
    banned.kind === "forbidden_words" && isLiteral(wanted.pattern) ? wordIn(wanted.pattern, banned.words) : undefined;
  return word === undefined ? undefined : `/${wanted.pattern}/ must match, and "${word}" is forbidden`;
}

function clashWithHeadings(headings: readonly string[], banned: RuleCheck): string | undefined {
  for (const heading of headings) {
    const word = banned.kind === "forbidden_words" ? wordIn(headingIn(heading).title, banned.words) : undefined;
    if (word !== undefined) return `the heading "${heading}" is required, and "${word}" is forbidden`;
    if (banned.kind === "must_not_match" && waysToWrite(heading).every((text) => isIn(banned, text))) {
      return `the heading "${heading}" is required, and /${banned.pattern}/ must not match it`;
    }
  }
  if (banned.kind === "max_length" && leastLength(headings, banned.unit) > banned.limit) {
    return `${headings.length} required headings are longer than ${banned.limit} ${banned.unit}`;
  }
  return undefined;
}

/** A heading is found at its level, else at any, in any case and without its marks of emphasis. */
function headingIn(heading: string): { readonly marks?: string; readonly title: string } {
  const [, marks, rest = heading] = /^(#{1,6})\s(.*)$/s.exec(heading.trim()) ?? [];
  const title = comparable(rest.replaceAll(/[*_`]/g, ""));
  return marks === undefined ? { title } : { marks, title };
}

function waysToWrite(heading: string): string[] {
  const { marks, title } = headingIn(heading);
  return [heading.replace(/^#+\s/, "").trim(), title, title.toUpperCase()].flatMap((written) => {
    if (marks !== undefined) return [`${marks} ${written}`];
    return [
      ...[1, 2, 3, 4, 5, 6].map((level) => `${"#".repeat(level)} ${written}`),
      `${written}\n===`,
      `${written}\n---`,
    ];
  });
}

/** What the required headings take up at least; one heading may fulfil two demands. */
function leastLength(headings: readonly string[], unit: "lines" | "words" | "characters"): number {
  const found = headings.map(headingIn);
  const texts = [...new Set(found.map(({ title }) => title))].map((title) => {
    const levels = found.filter((one) => one.title === title).map(({ marks = "#" }) => marks);
    return `${levels.sort()[0]} ${title}`;
  });
  if (unit === "lines") return texts.length;
  return unit === "words" ? texts.join(" ").split(/\s+/).length : texts.join("\n").length;
}

type Pattern = { readonly pattern: string; readonly flags: string };

function sameFlags(a: Pattern, b: Pattern): boolean {
  return [...a.flags].sort().join("") === [...b.flags].sort().join("");
}

function isLiteral(pattern: string): boolean {
  return !/[\\^$.|?*+()[\]{}]/.test(pattern);
}

/** Texts with nothing in common but being texts. */
const everyKindOfText = ["", "a", "\n", "# A\n\nText.\n", "{}", "[1]\n", "日本\n", "   ", "!?\n\n"];

function matchesEverything(check: Pattern): boolean {
  return everyKindOfText.every((text) => isIn(check, text));
}

function isIn({ pattern, flags }: Pattern, text: string): boolean {
  const { RE2JS } = re2();
  const bits = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL };
  const set = Object.entries(bits).reduce((sum, [flag, bit]) => (flags.includes(flag) ? sum | bit : sum), 0);
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern), set).test(text);
  } catch {
    return false;
  }
}

/** The forbidden word that stands whole in a text, as the engine looks for it. */
function wordIn(text: string, words: readonly string[]): string | undefined {
  const plain = comparable(text);
  return words.find((word) => isWhole(plain, comparable(word)));
}

function isWhole(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1 && word !== ""; at = text.indexOf(word, at + 1)) {
    const opens = isLetter(word.charAt(0)) && isLetter(text.charAt(at - 1));
    const closes = isLetter(word.at(-1) ?? "") && isLetter(text.charAt(at + word.length));
    if (!opens && !closes) return true;
  }
  return false;
}

function isLetter(char: string): boolean {
  return /[\p{L}\p{N}\p{M}_]/u.test(char);
}

function comparable(text: string): string {
  return oneLine(text.normalize("NFC").toLowerCase());
}
