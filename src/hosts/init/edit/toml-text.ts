import { parse, TomlError } from "smol-toml";

/** A parsed TOML table. */
export type TomlTable = { readonly [key: string]: unknown };

/** Parses a TOML text, or names the line with the error. */
export function parseToml(text: string): { readonly value: TomlTable } | { readonly problem: string } {
  try {
    return { value: parse(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { problem: `line ${error.line}: it is not valid TOML` };
  }
}

/** A table by its lines: its parsed header, the header's line, and the line after its last statement. */
export type Table = { readonly header: TomlTable; readonly from: number; readonly to: number };

/** The tables of a file; comments and blank lines before a header belong to it. */
export function tablesIn(lines: readonly string[]): Table[] {
  const headers = lines.flatMap((line, from) => {
    const read = /^\s*\[/.test(line) ? parseToml(line) : { problem: "no header" };
    return "value" in read ? [{ header: read.value, from }] : [];
  });
  return headers.map(({ header, from }, index) => {
    const body = lines.slice(from, headers[index + 1]?.from ?? lines.length);
    return { header, from, to: from + body.findLastIndex((line) => !/^\s*(#.*)?$/.test(line)) + 1 };
  });
}

/** Removes the statement of a key from a table's lines; a statement may span several lines. */
export function withoutStatement(body: readonly string[], key: string): string[] {
  const from = body.findIndex((line) => new RegExp(`^\\s*"?${key}"?\\s*=`).test(line));
  if (from === -1) return [...body];
  const rest = body.slice(from);
  const last = rest.findIndex((_, index) => "value" in parseToml(rest.slice(0, index + 1).join("\n")));
  return body.toSpliced(from, last + 1);
}
