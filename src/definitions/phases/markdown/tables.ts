import type { Table, TableCell } from "mdast";
import { evidenceTypeOf } from "../../../gates/type-vocabulary.ts";
import type { Place } from "./places.ts";
import { linesOf, plainText, type TextLine } from "./text-lines.ts";

/** The cells of a row that decide, as written. */
export type RowCells = {
  readonly name: string;
  readonly type: string;
  /** Undefined if the table has no column for it. */
  readonly rule: string | undefined;
  readonly description: string;
  readonly isOptional: boolean;
  /** True if the row is required only under a condition. */
  readonly isConditional: boolean;
};

/** A row of a table as a requirement; an `item` is read like one of a list, a `text` asks for nothing. */
export type TableRow = TextLine & {
  readonly kind: "row" | "item" | "text";
  readonly place: Place;
  readonly cells?: RowCells;
};

/** Reads the rows of a table that asks, in a place that asks or by its columns. */
export function tableRows(table: Table, place: Place): TableRow[] {
  const [head, ...rows] = table.children;
  const columns = columnsOf(head?.children ?? []);
  const { type, rule, required, description } = columns;
  const isTyped = [type, rule, required].some((one) => one !== undefined);
  const name = columns.name ?? ((place.asks || isTyped) && !columns.isFirst ? 0 : undefined);
  if (name === undefined || !(place.asks || columns.isEvidence || columns.isKnown || isTyped)) {
    const boxed = new Set(
      rows.flatMap(({ children }) => children.flatMap((cell, at) => (box.test(cellText(cell)) ? [at] : []))),
    );
    return rows.map(({ children: cells, position }) => {
      // An empty cell in a column of boxes is a box too.
      const unmarked = cells.filter(
        (cell, at) => !box.test(cellText(cell)) && !(cellText(cell) === "" && boxed.has(at)),
      );
      const said = { line: position?.start.line ?? 1, text: cellText(unmarked[0]) };
      return unmarked.length < cells.length && said.text !== ""
        ? { ...said, kind: "item", place: { ...place, asks: true } }
        : { ...said, kind: "text", place, text: textOf(cells) };
    });
  }
  const heads = head?.children ?? [];
  const saysOptional = required !== undefined && /^optional$/i.test(cellText(heads[required]).trim());
  const [isNo, isYes] = saysOptional ? [yes, no] : [no, yes];
  return rows.flatMap(({ children: cells, position }): TableRow[] => {
    const at = (column: number | undefined): string => (column === undefined ? "" : cellText(cells[column]));
    const line = position?.start.line ?? 1;
    const text = textOf(cells);
    if (at(name) === "" || /^~~.*~~$/.test(at(name))) return [];
    if (type === undefined && rule === undefined && required === undefined)
      return [
        {
          kind: "item",
          place: { ...place, asks: true },
          line,
          text: [at(name), at(description)].filter((said) => said !== "").join(": "),
        },
      ];
    const isOptional = required !== undefined && isNo.test(at(required));
    const isConditional = !isOptional && at(required) !== "" && !isYes.test(at(required));
    const written = rule === undefined ? undefined : at(rule).replace(/^(?:-|–|—|none|n\/a|any)$/i, "");
    return [
      {
        kind: "row",
        place,
        line,
        text,
        cells: {
          name: at(name),
          type: at(type),
          rule: written,
          description: at(description),
          isOptional,
          isConditional,
        },
      },
    ];
  });
}

/** The column that assigns rows to phases, if a table has one. */
export function phaseColumn(table: Table): number | undefined {
  const at = (table.children[0]?.children ?? []).findIndex((cell) =>
    /^(?:phase|step)(?: (?:no\.?|number|#))?$/i.test(plainText(cell)),
  );
  return at === -1 || columnsOf(table.children[0]?.children ?? []).name === undefined ? undefined : at;
}

type Columns = { readonly [Column in keyof typeof headings]?: number } & {
  readonly isEvidence: boolean;
  /** True if the first column is not the name but another of a requirement. */
  readonly isFirst: boolean;
  /** True if each of several columns is one of a requirement. */
  readonly isKnown: boolean;
};

function columnsOf(head: readonly TableCell[]): Columns {
  const words = head.map((cell) =>
    plainText(cell)
      .toLowerCase()
      .replace(/[?:*]+$/, "")
      .trim(),
  );
  const found = Object.entries(headings).flatMap(([column, heading]) => {
    const at = words.findIndex((word) => heading.test(word));
    return at === -1 ? [] : [[column, at] as const];
  });
  return {
    ...Object.fromEntries(found),
    isFirst: found.some(([, at]) => at === 0),
    isKnown: words.length > 1 && found.length === words.length,
    isEvidence: words.some((word) => /^(?:evidence|requirements?|deliverables?|proofs?)\b/.test(word)),
  };
}

const headings = {
  name: /^(?:evidence|fields?|items?|what|names?|requirements?|deliverables?|proofs?|outputs?|criteri(?:on|a)|checks?|question)\b/,
  type: /^(?:type|format|kind|data type)$/,
  rule: /^(?:rules?|validators?|validation|constraints?|acceptance(?: criteri(?:on|a))?|limits?|thresholds?|must be|targets?)$/,
  required: /^(?:required|mandatory|optional|needed)$/,
  description: /^(?:descriptions?|meaning|details?|notes?|remarks?|comments?|explanation|why|how)$/,
} as const;

/** A cell that is to be ticked. */
const box = /^(?:\[[ xX]?\]|[☐☑☒□])$/u;

/** The words of a cell that says if a row is required. */
const yes = /^(?:yes|y|true|required|mandatory|must|always|x|1|✓|✔|✅)$/iu;
const no = /^(?:no|n|false|optional|not required|0|❌|✗|-|–|—)$/iu;

/** The words of a Type cell as a clause that names a type. */
export function typeWords(cell: string): string {
  const said = cell.toLowerCase().trim();
  const [, first = ""] = /^(array|list)(?:\s*(?:of\s.*|\[.*\]|<.*>|\(.*\)))?$/.exec(said) ?? [];
  return first !== "" ? "list" : said.endsWith("[]") ? "list" : evidenceTypeOf(said) === undefined ? cell : said;
}

function cellText(cell: TableCell | undefined): string {
  return cell === undefined
    ? ""
    : linesOf(cell)
        .map(({ text }) => text)
        .join(" ");
}

function textOf(cells: readonly TableCell[]): string {
  return cells
    .map(cellText)
    .filter((text) => text !== "")
    .join(" | ");
}
