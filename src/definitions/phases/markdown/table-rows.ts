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

/** A table without what only stands right below it, which Markdown takes for a row: a line without any bar. */
export function tableParts(table: Table): { readonly table: Table; readonly after: readonly Line[] } {
  const [head, ...rows] = table.children;
  const columns = head?.children.length ?? 0;
  const isRow = ({ children: [cell, ...others] }: Table["children"][number]): boolean =>
    others.length > 0 || columns < 2 || cell?.children[0]?.position?.start.offset !== cell?.position?.start.offset;
  const end = rows.findIndex((row) => !isRow(row));
  if (head === undefined || end === -1) return { table, after: [] };
  return {
    table: { ...table, children: [head, ...rows.slice(0, end)] },
    after: rows.slice(end).flatMap(({ children }) => children.map(cellOf)),
  };
}
