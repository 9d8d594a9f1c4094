/** Writes a path the same way whoever names it: `./src/a.ts`, `src/a.ts` and, seen from its project area, its absolute path are one file. */
export function sameTarget(target: string, projectArea?: string): string {
  const whole = simplified(target);
  if (projectArea === undefined) return whole;
  const area = `${simplified(projectArea)}/`;
  return whole.startsWith(area) ? whole.slice(area.length) : whole;
}

function simplified(path: string): string {
  const parts: string[] = [];
  for (const part of path.trim().replaceAll("\\", "/").split("/")) {
    if (part === "." || (part === "" && parts.length > 0)) continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== ".." && parts.at(-1) !== "") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}
