import type { Table, TableCell } from "mdast";
import { joinLines, type Line, linesOf } from "./lines.ts";

/** The rows of a table, its head among them, each as the lines of its cells. */
export function rowsOf({ children }: Table): readonly (readonly Line[])[] {
  return children.map((row) => row.children.map(cellOf));
}

function cellOf(cell: TableCell): Line {
  const line = cell.position?.start.line ?? 1;
  return { ...joinLines(linesOf(cell.children, line)), line };
}

/** A table without what only stands right below it, which Markdown takes for a row: a line of one cell where there are several. */
export function tableParts(table: Table): { readonly table: Table; readonly after: readonly Line[] } {
  const { children: rows } = table;
  const isText = ({ children }: Table["children"][number]): boolean =>
    children.length === 1 && (rows[0]?.children.length ?? 1) > 1;
  const after = rows.filter(isText).flatMap(({ children }) => children.map(cellOf));
  return { table: { ...table, children: rows.filter((row) => !isText(row)) }, after };
}
