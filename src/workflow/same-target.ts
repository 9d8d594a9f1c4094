/** Normalizes a path: `./src/a.ts`, `src/a.ts` and its absolute path in the project area are one file. */
export function normalizeTarget(target: string, projectArea?: string): string {
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
