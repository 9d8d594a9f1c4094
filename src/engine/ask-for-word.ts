import { digestOf } from "../evidence/json.ts";
import type { Agreed } from "../workflow/command.ts";
import type { Word } from "../workflow/events.ts";
import type { Asked, Calling } from "./caller.ts";
import type { Reply } from "./reply.ts";

export type WordNeeds = {
  readonly caller: Calling;
  /** What the assistant says that the person said. */
  readonly confirmation: string | undefined;
  readonly attempt: (word?: Word, agreed?: Agreed) => Promise<Reply>;
  /** Puts on record that a person said no, or that nobody answered. */
  readonly answered: (said: "decline" | "unanswered", about: Agreed, reason?: string) => Promise<Reply>;
  readonly filesOf: (reply: Reply) => Promise<Asked["files"]>;
};

/** A person is asked again where something else was handed in while they read; after so many times nobody can be said to have answered. */
const mostQuestions = 3;

/** Completes a step with a person's word where one is needed: asked for through the client if it can ask, else as the assistant passes it on. */
export async function askForWord(needs: WordNeeds): Promise<Reply> {
  const { caller, confirmation: said, attempt, answered } = needs;
  const relayed: Word | undefined = said === undefined || isBlank(said) ? undefined : { level: "relayed", text: said };
  if (caller.ask === undefined) return attempt(relayed);

  let reply = await attempt();
  // What was found out at an earlier try is said once: it must not get lost with that reply.
  const then = (next: Reply): Reply => ({ ...next, warnings: [...new Set([...reply.warnings, ...next.warnings])] });
  for (let questions = 0; questions < mostQuestions; questions++) {
    const { outcome } = reply;
    if (outcome.kind !== "awaiting") return reply;
    const { ref, digest } = outcome;
    // Asked in vain once, a person is not asked again here; the assistant may then pass their word on.
    if (outcome.unanswered) return relayed === undefined ? reply : then(await attempt(relayed));
    const key = digestOf([caller.id, { ...reply.id }, { ...ref }, digest]);
    const asked: Asked = { reply, key, files: await needs.filesOf(reply), confirmation: said };
    const answer = await caller.ask(asked);
    switch (answer.kind) {
      case "yes": {
        const text = answer.comment === undefined ? {} : { text: answer.comment };
        reply = then(await attempt({ level: "elicited", ...text }, { ref, digest }));
        break;
      }
      case "no":
        return then(await answered("decline", { ref, digest }, answer.comment));
      case "none":
        return then(await answered("unanswered", { ref, digest }));
      case "pending":
        return { ...reply, question: asked };
    }
  }
  return reply;
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
