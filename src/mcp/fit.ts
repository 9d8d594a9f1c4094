import type { Kept } from "../words/reply.ts";
import { guessTokens } from "./guess-tokens.ts";

/** Keeps warnings within bounds where a reply has room for them: each once, the long ones cut, the rest counted. */
export function fitWarnings(warnings: readonly string[]): string[] {
  const distinct = [...new Set(warnings)];
  const shown = distinct.slice(0, 8).map((warning) => clip(warning, 400));
  const left = distinct.length - shown.length;
  return left === 0 ? shown : [...shown, `And ${left} more.`];
}

/** What stands beside the instructions of an answer and may be cut. */
export type Beside = { readonly warnings: readonly string[]; readonly kept?: Kept };

/** Fits warnings and what is kept into so many tokens together; `left` are the warnings that are not shown whole, to be read elsewhere in the answer. */
export function fitBeside({ warnings, kept }: Beside, room: number): Beside & { readonly left: readonly string[] } {
  const distinct = [...new Set(warnings)];
  const wanted = kept === undefined ? 0 : costOf(kept);
  const said = fitSaid(distinct, room - Math.min(wanted, room / 2));
  const rest = room - costOf(said.warnings);
  return kept === undefined ? said : { ...said, kept: fitKept(kept, rest) };
}

function fitSaid(
  warnings: readonly string[],
  room: number,
): { readonly warnings: readonly string[]; readonly left: readonly string[] } {
  const shown: string[] = [];
  let left = room - costOf([elsewhere(warnings.length)]);
  for (const warning of warnings) {
    const cut = clip(warning, 240);
    left -= costOf([cut]);
    if (left < 0) break;
    shown.push(cut);
  }
  const cut = warnings.filter((warning, at) => shown[at] !== warning);
  return { warnings: cut.length === 0 ? shown : [...shown, elsewhere(cut.length)], left: cut };
}

function elsewhere(count: number): string {
  return `${count} not shown whole: see instructions.`;
}

function costOf(value: unknown): number {
  return guessTokens(JSON.stringify(value), 1000);
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

/** Fits what is kept into so many tokens: the first names and paths, and how many more there are. */
export function fitKept(kept: Kept, room: number): Kept {
  if (costOf(kept) <= room) return kept;
  let left = room - costOf({ outputs: [], content: [], more: { outputs: 100, content: 100 } });
  const fits = (entry: unknown): boolean => {
    left -= costOf(entry);
    return left >= 0;
  };
  const content = kept.content.filter(fits);
  const outputs = kept.outputs.filter(fits);
  const more = { outputs: kept.outputs.length - outputs.length, content: kept.content.length - content.length };
  return { outputs, content, more };
}
