/** The name of a step without what its place says already: `Phase 5: Coverage plan` is `Coverage plan`, `shape · render_output` is `render output`. */
export function shortLabel(label: string, workflow?: string): string {
  const alone = label.replace(/^Phase \d+:\s*/, "");
  const prefix = workflow === undefined ? "" : `${workflow} · `;
  return (prefix !== "" && alone.startsWith(prefix) ? alone.slice(prefix.length) : alone).replaceAll("_", " ");
}
