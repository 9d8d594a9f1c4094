import type { Kept } from "../words/reply.ts";

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

/** Keeps what is kept within its room: the first names and paths, and how many more there are. */
export function fitKept({ outputs, content }: Kept, room: number): Kept {
  let left = room;
  const fits = (length: number): boolean => {
    left -= length;
    return left >= 0;
  };
  const names = outputs.filter((name, at) => at < 20 && fits(name.length + 4)).map((name) => clip(name, 60));
  const files = content.filter(({ path }, at) => at < 20 && fits(path.length + 20));
  const [moreNames, rest] = [outputs.length - names.length, content.filter((file) => !files.includes(file))];
  const bytes = rest.reduce((sum, file) => sum + file.bytes, 0);
  return {
    outputs: moreNames === 0 ? names : [...names, `… ${moreNames} more`],
    content: rest.length === 0 ? files : [...files, { path: `… ${rest.length} more`, bytes }],
  };
}
