import type { StepRef, Word } from "../workflow/events.ts";
import type { Ask } from "./reply.ts";

/** A try to complete a step; `awaiting` where only a person's word is missing. */
export type Tried<R> = {
  readonly reply: R;
  readonly awaiting?: { readonly ref: StepRef; readonly question: string };
};

export type WordNeeds<R> = {
  /** Puts a question to a person; absent where the client cannot. */
  readonly ask: Ask | undefined;
  /** What the assistant says that the person said. */
  readonly confirmation: string | undefined;
  /** The attempts that a person was asked about in vain on this connection. */
  readonly unanswered: Set<string>;
  readonly attempt: (word?: Word, agreed?: StepRef) => Promise<Tried<R>>;
  readonly decline: (ref: StepRef, reason: string | undefined) => Promise<R>;
};

type Worded = { readonly warnings: readonly string[]; readonly unanswered?: true; readonly question?: string };

/** Completes a step with a person's word where one is needed: asked for through the client if it can ask, else as the assistant passes it on. */
export async function askForWord<R extends Worded>(needs: WordNeeds<R>): Promise<R> {
  const { ask, confirmation: said, unanswered, attempt } = needs;
  const relayed: Word | undefined = said === undefined || isBlank(said) ? undefined : { level: "relayed", text: said };
  if (ask === undefined) return (await attempt(relayed)).reply;

  const { reply: first, awaiting } = await attempt();
  if (awaiting === undefined) return first;
  const { ref, question } = awaiting;
  // What was found out at the first try is said once: it must not get lost with that reply.
  const then = (reply: R): R => ({ ...reply, warnings: [...new Set([...first.warnings, ...reply.warnings])] });
  const key = JSON.stringify(ref);
  // Asked in vain once, a person is not asked again here; the assistant may then pass their word on.
  if (unanswered.has(key)) return relayed === undefined ? first : then((await attempt(relayed)).reply);

  const answer = await ask(question);
  switch (answer.kind) {
    case "accepted":
      return then((await attempt({ level: "elicited", ...(answer.text ? { text: answer.text } : {}) }, ref)).reply);
    case "declined":
      return then(await needs.decline(ref, answer.text));
    case "none":
      unanswered.add(key);
      return { ...first, unanswered: true };
    case "pending":
      return { ...first, question };
  }
}

/** Signs that draw nothing though they count as letters or symbols: fillers of Hangul, vowel signs of Khmer, the empty braille cell, a musical null. */
const drawnBlank = "\\u115F\\u1160\\u17B4\\u17B5\\u2800\\u3164\\uFFA0\\uFFFC\\u{16FE4}\\u{1D159}";
const blank = new RegExp(
  `^[\\s\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Z}\\p{M}\\p{Default_Ignorable_Code_Point}${drawnBlank}]*$`,
  "u",
);

/** White space and characters that nobody sees are no words; nor are marks that stand on nothing. */
export function isBlank(text: string): boolean {
  return blank.test(text);
}
