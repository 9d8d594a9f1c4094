const maxEach = 240;
const maxTotal = 480;

/** Keeps warnings within the budget of a reply: each once, the long ones cut, the rest counted. */
export function fitWarnings(warnings: readonly string[]): string[] {
  const fitted: string[] = [];
  let room = maxTotal;
  const distinct = [...new Set(warnings)];
  for (const warning of distinct) {
    const cut = clip(warning, maxEach);
    if (cut.length > room) break;
    fitted.push(cut);
    room -= cut.length;
  }
  const left = distinct.length - fitted.length;
  return left === 0 ? fitted : [...fitted, `And ${left} more: run waymark status.`];
}

/** Cuts a text to its room in a reply. Characters outside ASCII take more of it, as they cost more tokens. */
export function clip(text: string, room: number): string {
  let left = room;
  let end = 0;
  for (const character of text) {
    left -= character.length === 1 && character.charCodeAt(0) < 128 ? 1 : 6;
    if (left < 0) return `${text.slice(0, end)}…`;
    end += character.length;
  }
  return text;
}
