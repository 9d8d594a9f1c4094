import type { Caller } from "../workflow/command.ts";
import type { ContentFile } from "./ports.ts";
import type { Reply } from "./reply.ts";

/** Whoever calls, and a way to put a question to the person behind them, where the client has one. */
export type Calling = Caller & {
  readonly ask?: Ask | undefined;
  /** Takes the person where they can answer themselves, for what no form is enough for. */
  readonly askElsewhere?: ((asked: Asked) => Promise<WentElsewhere>) | undefined;
  /** Hears what is being waited for, and for how many seconds. */
  readonly progress?: (message: string, seconds: number) => void;
};

/** What a person is asked about: a hand-in that only waits for their word, with everything they would agree to. */
export type Asked = {
  readonly reply: Reply;
  /** Names the attempt and what was handed in: an answer counts for this and for nothing else. */
  readonly key: string;
  readonly files: readonly ContentFile[];
  /** What the assistant says that the person said. */
  readonly confirmation?: string | undefined;
};

/** A person's answer. `none`: nobody answered. `pending`: the client has yet to ask. `late`: the call has taken so long that nobody was asked. */
export type Answer =
  | { readonly kind: "yes" | "no"; readonly comment?: string }
  | { readonly kind: "none" | "pending" | "late" };

/** How taking a person elsewhere went. `asked`: they have answered there, or nobody did in time. `nowhere`: nobody could answer there. `pending`: the client has yet to ask. */
export type WentElsewhere = "asked" | "nowhere" | "pending";

/** Puts a question to a person. */
export type Ask = (asked: Asked) => Promise<Answer>;
