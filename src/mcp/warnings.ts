const maxEach = 240;
const maxTotal = 480;

/** Keeps warnings within the budget of a reply: each once, the long ones cut, the rest counted. */
export function fitWarnings(warnings: readonly string[]): string[] {
  const fitted: string[] = [];
  let room = maxTotal;
  const distinct = [...new Set(warnings)];
  for (const warning of distinct) {
    const cut = warning.length > maxEach ? `${warning.slice(0, maxEach - 1)}…` : warning;
    if (cut.length > room) break;
    fitted.push(cut);
    room -= cut.length;
  }
  const left = distinct.length - fitted.length;
  return left === 0 ? fitted : [...fitted, `And ${left} more: run waymark status.`];
}
