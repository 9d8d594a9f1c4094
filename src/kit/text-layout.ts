/** The layout of a file, so that additions match it. */
export type Layout = { readonly unit: string; readonly eol: string };

/** Detects the layout of a text; two spaces and plain line ends by default. */
export function layoutOf(text: string): Layout {
  const unit = /^([\t ]+)\S/m.exec(text)?.[1] ?? "  ";
  return { unit: unit.startsWith("\t") ? "\t" : unit, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

/** The indentation of the line at an offset. */
export function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[\t ]*/.exec(line)?.[0] ?? "";
}
