import type { Table, TableCell } from "mdast";
import { joinLines, type Line, linesOf } from "./text-lines.ts";

/** The rows of a table including its head, each as the lines of its cells. */
export function rowsOf({ children }: Table): readonly (readonly Line[])[] {
  return children.map((row) => row.children.map(cellOf));
}

function cellOf(cell: TableCell): Line {
  const line = cell.position?.start.line ?? 1;
  return { ...joinLines(linesOf(cell.children, line)), line };
}

/** Splits off lines right below a table that Markdown takes for rows: one cell where the table has several. */
export function tableParts(table: Table): { readonly table: Table; readonly after: readonly Line[] } {
  const { children: rows } = table;
  const isText = ({ children }: Table["children"][number]): boolean =>
    children.length === 1 && (rows[0]?.children.length ?? 1) > 1;
  const after = rows.filter(isText).flatMap(({ children }) => children.map(cellOf));
  return { table: { ...table, children: rows.filter((row) => !isText(row)) }, after };
}
