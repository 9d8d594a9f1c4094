/** Shortens a step's label: `Phase 5: Coverage plan` to `Coverage plan`, `shape · render_output` to `render output`. */
export function shortLabel(label: string, workflow?: string): string {
  const alone = label.replace(/^Phase \d+:\s*/, "");
  const prefix = workflow === undefined ? "" : `${workflow} · `;
  return (prefix !== "" && alone.startsWith(prefix) ? alone.slice(prefix.length) : alone).replaceAll("_", " ");
}
