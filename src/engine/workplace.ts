import type { Engine } from "./engine.ts";
import type { ServedBot } from "./ports.ts";

/** What the doors serve: the bots as they are defined now, each with its engine. */
export type Workplace = {
  bots(): { readonly bots: readonly ServedBot[]; readonly warnings: readonly string[] };
  engine(bot: string): Engine;
};
