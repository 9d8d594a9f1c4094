/** A generated page: its title, who it is for, and its parts. */
export function document(title: string, ...parts: readonly string[]): string {
  return `${[`# ${title}`, "<!-- Written by `npm run reference` from the code. Do not edit. -->", ...parts].join("\n\n")}\n`;
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "None.";
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
