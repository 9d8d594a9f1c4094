const maxDepth = 64;
const maxCharacters = 1_000_000;

/** The reason a caller's object cannot be stored, if any; depth is checked first, since Node overflows on deep nesting. */
export function objectProblem(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (isDeeperThan(value, maxDepth)) return `${name} is nested deeper than ${maxDepth} levels`;
  if (JSON.stringify(value).length > maxCharacters) {
    return `${name} is larger than ${maxCharacters.toLocaleString("en")} characters`;
  }
  return undefined;
}

function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return false;
}
