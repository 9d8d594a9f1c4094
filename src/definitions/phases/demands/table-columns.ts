import type { Line } from "../markdown/lines.ts";
import { isRequiredness } from "../words/requiredness.ts";
import { codeName, isSnake } from "./names.ts";

/** What a column of an evidence table says of a field. "unknown" is what nobody can tell from its header. */
export type Role = "name" | "type" | "rule" | "least" | "most" | "required" | "description" | "aside" | "unknown";

/** A column of a table: where it stands, under which header, and what it says. */
export type Column = { readonly at: number; readonly header: string; readonly role: Role };

/** The columns of a table, by their headers; where a header may mean two things, by what stands below it. */
export function columnsOf(head: readonly string[], rows: readonly (readonly Line[])[]): Column[] {
  const cellsAt = (at: number): string[] =>
    rows.map((cells) => cells[at]?.text.trim() ?? "").filter((text) => text !== "");
  const named = nameColumn(head, rows);
  const hasType = head.some((header, at) => at !== named && /\b(?:type|kind)s?$/.test(plain(header)));
  return head.map((header, at) => {
    if (at === named) return { at, header, role: "name" };
    const role = roleOf(plain(header), hasType);
    const cells = cellsAt(at);
    if (role === "required" && cells.length > 0 && !cells.some(isRequiredness)) return { at, header, role: "rule" };
    if (role === "unknown" && cells.every((text, index) => text === String(index + 1)))
      return { at, header, role: "aside" };
    const isRequired = (role === "aside" || role === "unknown") && cells.some(isSaidRequired);
    return { at, header, role: isRequired && cells.every(isRequiredness) ? "required" : role };
  });
}

/** Tells whether a header names things that hold or not, rather than pieces of evidence: "Criterion", "Check". */
export function isOfChecks(header: string): boolean {
  return lastKnown(plain(header), checkWords) !== undefined;
}

/** Of the headers that may name the fields the one whose cells are names, else the one that says so best. */
function nameColumn(head: readonly string[], rows: readonly (readonly Line[])[]): number | undefined {
  const isNamed = (at: number): boolean => rows.length > 0 && rows.every((cells) => looksLikeName(cells[at]));
  const ranked = head
    .map((header, at) => ({ at, rank: nameRank(plain(header)) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank);
  const found = ranked.find(({ at }) => isNamed(at)) ?? ranked[0];
  if (found !== undefined) return found.at;
  const other = head.findIndex((header, at) => isNamed(at) && canHideNames(roleOf(plain(header), true)));
  return other === -1 ? undefined : other;
}

function canHideNames(role: Role): boolean {
  return role === "unknown" || role === "aside" || role === "description";
}

function looksLikeName(cell: Line | undefined): boolean {
  if (cell === undefined) return false;
  const bare = cell.text.replace(/\(.*\)\s*$/, "").trim();
  return isSnake(bare) || cell.marks.some(({ kind, text }) => kind === "code" && codeName(text) !== undefined);
}

/** How well a header says that names of evidence stand below it; -1 where it does not. */
function nameRank(header: string): number {
  const words = header.replace(/\b(?:required|mandatory|needed)\b/g, "").trim();
  const head = lastKnown(words, [...nameWords, ...typeWords, ...ruleWords, ...checkWords, ...describing, ...asides]);
  if (head === undefined || /^(?:expected|allowed|accepted|permitted) (?:output|result)/.test(header)) return -1;
  const rank = nameWords.indexOf(head);
  if (rank !== -1) return rank;
  return checkWords.includes(head) && !/^(?:acceptance|pass|validation) /.test(words) ? nameWords.length : -1;
}

function roleOf(header: string, hasType: boolean): Role {
  const parts = header.split(" ");
  if (header === "") return "unknown";
  if (requiredHeader.test(header)) return "required";
  const isLeast = parts.some((word) => leastWords.includes(word)) || header === "at least";
  const isMost = parts.some((word) => mostWords.includes(word)) || header === "at most";
  if (isLeast !== isMost) return isLeast ? "least" : "most";
  if (
    isLeast ||
    /^(?:must|expected|allowed|accepted|permitted|acceptable|valid|pass|passes|passed|done when)\b/.test(header)
  )
    return "rule";
  if (asideHeader.test(header)) return "aside";
  const last = lastKnown(header, [...typeWords, ...ruleWords, ...checkWords, ...describing, ...asides, ...nameWords]);
  if (last === undefined) return "unknown";
  if (last === "format") return hasType ? "rule" : "type";
  if (typeWords.includes(last)) return "type";
  if (ruleWords.includes(last) || checkWords.includes(last)) return "rule";
  return asides.includes(last) ? "aside" : "description";
}

/** The last word of a header that is known, as listed: that of "Evidence type" is "type"; what follows "of" or "to" tells no more. */
function lastKnown(header: string, known: readonly string[]): string | undefined {
  const [core = ""] = header.split(/\s(?:of|for|to|in|by|when|if|that|which|is)\b/);
  const singular = (word: string): string => (known.includes(word) ? word : word.replace(/(?<!s)s$/, ""));
  return core
    .split(" ")
    .map(singular)
    .reverse()
    .find((word) => known.includes(word));
}

function plain(header: string): string {
  return header
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}#]+/gu, " ")
    .trim();
}

function isSaidRequired(cell: string): boolean {
  return /^(?:required|mandatory|optional)$/i.test(cell);
}

const listed = (words: string): readonly string[] => words.split(" ");

/** From the word that says it best on. */
const nameWords = listed(
  "evidence field key variable parameter param property attribute metric kpi measure measurement indicator artifact artefact deliverable output proof name identifier item document id",
);
/** These head the names of a table that has no better word for them, else its rules. */
const checkWords = listed("criterion criteria requirement check condition");
const typeWords = listed("type kind datatype format");
const ruleWords = listed(
  "rule validator validation constraint threshold target limit expectation expected acceptance accepted value range bound allowed assertion tolerance verification restriction option choice enum pattern regex equal",
);
const leastWords = listed("min minimum least lower");
const mostWords = listed("max maximum most upper");
const describing = listed(
  "description desc meaning note detail explanation what purpose comment remark definition summary info information",
);
/** What says nothing about the value. */
const asides = listed(
  "# no nr index why rationale reason example sample source owner responsible assignee role team who person where location how method tool command reference ref link url see status state priority severity task step phase stage section category group area context background author reviewer approver date due deadline effort estimate unit label title topic when tag risk done checked met ok progress",
);
const requiredHeader =
  /^(?:is |field |evidence )?(?:required|mandatory|optional|obligatory|obligation|compulsory|necessity|must|must have|req|reqd|need|needed|presence|m o|o m|r o|required optional|mandatory optional|optional required)(?: (?:y n|yes no|m o|r o|or optional))?$/;
const asideHeader =
  /^(?:how|why|where|when|who|verified|checked|measured|collected|provided|produced|owned|see|used)\b/;
