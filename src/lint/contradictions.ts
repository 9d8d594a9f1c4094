import { oneLine } from "../definitions/files/single-spaced.ts";
import type { RuleCheck } from "../gates/rule.ts";
import { re2 } from "../kit/libraries.ts";
import type { LocatedCheck } from "./located-checks.ts";
import type { ReportedFinding } from "./reported-finding.ts";

/** Reports checks that no content can pass, alone or in pairs; reports only certain cases. */
export function findContradictions(placed: readonly LocatedCheck[]): ReportedFinding[] {
  const alone = placed.flatMap((one) => {
    const reason = impossibleAlone(one.check);
    return reason === undefined ? [] : [note(one, reason)];
  });
  const together = placed.flatMap((one, index) =>
    placed.slice(0, index).flatMap((earlier) => {
      if (one.check.glob !== earlier.check.glob) return [];
      const reason = conflictBetween(one.check, earlier.check) ?? conflictBetween(earlier.check, one.check);
      return reason === undefined ? [] : [note(one, `${reason} (see the rule ${earlier.rule})`)];
    }),
  );
  return [...alone, ...together];
}

function note({ path, rule, lineOf }: LocatedCheck, reason: string): ReportedFinding {
  const fix = "Change or delete one of the requirements.";
  const line = lineOf("pattern", "headings", "words", "lines", "characters", "limit");
  return { code: "unsatisfiable-rule", path, line, message: `no content can satisfy ${rule}: ${reason}`, fix };
}

function impossibleAlone(check: RuleCheck): string | undefined {
  if (check.kind === "max_length" && check.limit < 1) return `at most ${check.limit} ${check.unit} is impossible`;
  const isHopeless = check.kind === "must_not_match" && matchesEverything(check);
  return isHopeless ? `/${check.pattern}/ matches every text` : undefined;
}

/** Explains why two checks on the same files cannot both pass. */
function conflictBetween(required: RuleCheck, forbidden: RuleCheck): string | undefined {
  if (required.kind === "required_headings") return conflictWithHeadings(required.headings, forbidden);
  if (required.kind !== "must_match") return undefined;
  if (forbidden.kind === "must_not_match" && forbidden.pattern === required.pattern && sameFlags(forbidden, required)) {
    return `/${required.pattern}/ must match and must not match`;
  }
  const word =
    forbidden.kind === "forbidden_words" && isLiteral(required.pattern)
      ? findWholeWord(required.pattern, forbidden.words)
      : undefined;
  return word === undefined ? undefined : `/${required.pattern}/ must match, and "${word}" is forbidden`;
}

function conflictWithHeadings(headings: readonly string[], forbidden: RuleCheck): string | undefined {
  for (const heading of headings) {
    const word =
      forbidden.kind === "forbidden_words" ? findWholeWord(headingIn(heading).title, forbidden.words) : undefined;
    if (word !== undefined) return `the heading "${heading}" is required, and "${word}" is forbidden`;
    if (
      forbidden.kind === "must_not_match" &&
      headingSpellings(heading).every((text) => matchesPattern(forbidden, text))
    ) {
      return `the heading "${heading}" is required, and /${forbidden.pattern}/ must not match it`;
    }
  }
  if (forbidden.kind === "max_length" && minimumLength(headings, forbidden.unit) > forbidden.limit) {
    return `${headings.length} required headings are longer than ${forbidden.limit} ${forbidden.unit}`;
  }
  return undefined;
}

/** Splits a heading into its level marks and its title, normalized the way the engine compares headings. */
function headingIn(heading: string): { readonly marks?: string; readonly title: string } {
  const [, marks, rest = heading] = /^(#{1,6})\s(.*)$/s.exec(heading.trim()) ?? [];
  const title = comparable(rest.replaceAll(/[*_`]/g, ""));
  return marks === undefined ? { title } : { marks, title };
}

function headingSpellings(heading: string): string[] {
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

/** The minimum length of the required headings; one heading may satisfy two requirements. */
function minimumLength(headings: readonly string[], unit: "lines" | "words" | "characters"): number {
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

/** Sample texts that share no character. */
const everyKindOfText = ["", "a", "\n", "# A\n\nText.\n", "{}", "[1]\n", "日本\n", "   ", "!?\n\n"];

function matchesEverything(check: Pattern): boolean {
  return everyKindOfText.every((text) => matchesPattern(check, text));
}

function matchesPattern({ pattern, flags }: Pattern, text: string): boolean {
  const { RE2JS } = re2();
  const bits = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL };
  const set = Object.entries(bits).reduce((sum, [flag, bit]) => (flags.includes(flag) ? sum | bit : sum), 0);
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern), set).test(text);
  } catch {
    return false;
  }
}

/** The first forbidden word that occurs as a whole word in a text. */
function findWholeWord(text: string, words: readonly string[]): string | undefined {
  const plain = comparable(text);
  return words.find((word) => containsWholeWord(plain, comparable(word)));
}

function containsWholeWord(text: string, word: string): boolean {
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
