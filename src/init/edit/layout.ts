/** How a file is laid out, so that what is added looks like what is there. */
export type Layout = { readonly unit: string; readonly eol: string };

/** Reads the layout off a text; two spaces and plain line ends where nothing shows it. */
export function layoutOf(text: string): Layout {
  const unit = /^([\t ]+)\S/m.exec(text)?.[1] ?? "  ";
  return { unit: unit.startsWith("\t") ? "\t" : unit, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

/** The white space at the start of the line on which an offset stands. */
export function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[\t ]*/.exec(line)?.[0] ?? "";
}
