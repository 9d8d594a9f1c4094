import type { KeptSubmission } from "../messages/worded-reply.ts";
import { estimateTokens } from "./reply-tokens.ts";

/** Fits warnings into a reply: each once, long ones cut, the rest counted. */
export function fitWarnings(warnings: readonly string[]): string[] {
  const distinct = [...new Set(warnings)];
  const shown = distinct.slice(0, 8).map((warning) => clip(warning, 400));
  const left = distinct.length - shown.length;
  return left === 0 ? shown : [...shown, `And ${left} more.`];
}

/** The parts of a reply beside its instructions that may be cut. */
export type ReplyExtras = { readonly warnings: readonly string[]; readonly kept?: KeptSubmission };

/** Fits warnings and `kept` into a token budget; `left` are warnings not shown in full, for the instructions. */
export function fitExtras(
  { warnings, kept }: ReplyExtras,
  room: number,
): ReplyExtras & { readonly left: readonly string[] } {
  const distinct = [...new Set(warnings)];
  const wanted = kept === undefined ? 0 : tokensOf(kept);
  const said = fitWarningTexts(distinct, room - Math.min(wanted, room / 2));
  const rest = room - tokensOf(said.warnings);
  return kept === undefined ? said : { ...said, kept: fitKept(kept, rest) };
}

function fitWarningTexts(
  warnings: readonly string[],
  room: number,
): { readonly warnings: readonly string[]; readonly left: readonly string[] } {
  const shown: string[] = [];
  let left = room - tokensOf([notShownText(warnings.length)]);
  for (const warning of warnings) {
    const cut = clip(warning, 240);
    left -= tokensOf([cut]);
    if (left < 0) break;
    shown.push(cut);
  }
  const cut = warnings.filter((warning, at) => shown[at] !== warning);
  return { warnings: cut.length === 0 ? shown : [...shown, notShownText(cut.length)], left: cut };
}

function notShownText(count: number): string {
  return `${count} not shown in full: see instructions.`;
}

function tokensOf(value: unknown): number {
  return estimateTokens(JSON.stringify(value), 1000);
}

/** Cuts a text to its room in a reply. Characters outside ASCII count more because they cost more tokens. */
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

/** Fits `kept` into a token budget: the first names and paths, and a count of the rest. */
export function fitKept(kept: KeptSubmission, room: number): KeptSubmission {
  if (tokensOf(kept) <= room) return kept;
  let left = room - tokensOf({ outputs: [], content: [], more: { outputs: 100, content: 100 } });
  const fits = (entry: unknown): boolean => {
    left -= tokensOf(entry);
    return left >= 0;
  };
  const content = kept.content.filter(fits);
  const outputs = kept.outputs.filter(fits);
  const more = { outputs: kept.outputs.length - outputs.length, content: kept.content.length - content.length };
  return { outputs, content, more };
}
