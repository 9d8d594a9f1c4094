import type { ServedBot } from "../engine/ports.ts";
import type { Desk } from "../workflow/desk.ts";
import type { Workplace } from "../workplace.ts";

/** A run of a bot; without a name, the project area's own. */
export type DeskMeant = { readonly bot: ServedBot; readonly run: string | undefined };

/** Which run of which bot a completion is for: one, or several of which the caller has to name one, or none that is served. */
export type Meant = DeskMeant | { readonly open: readonly OpenStep[] } | { readonly unknown: string };

/** A step that a caller opened and has not completed. */
export type OpenStep = DeskMeant & { readonly behavior?: string; readonly action: string };

/** What a call names of the step that it is about. */
export type Asked = {
  readonly bot?: string | undefined;
  readonly run?: string | undefined;
  readonly behavior?: string | undefined;
  readonly action?: string | undefined;
};

/** The runs that a connection has used, the one that it used last at the end. */
type Used = Map<string, { readonly bot: string; readonly run: string | undefined }>;

/** What is known of the runs that a connection has used: looked up when a call does not say which it means. */
export type Uses = { known(): Promise<Used>; note(bot: string, run: string | undefined): void };

/** So many are remembered. */
const mostUsed = 200;

/** Remembers what one connection uses. */
export function usesHere(): Uses {
  const used: Used = new Map();
  return {
    known: async () => used,
    note(bot, run) {
      const key = JSON.stringify([bot, run]);
      used.delete(key);
      used.set(key, { bot, run });
      const [oldest] = used.keys();
      if (used.size > mostUsed && oldest !== undefined) used.delete(oldest);
    },
  };
}

/** A visitor's next call may come to another server: what they use is what is on record. */
export function usesOnRecord(workplace: Pick<Workplace, "standsAt">, caller: string): Uses {
  return {
    async known() {
      const stands = await workplace.standsAt(caller);
      return new Map(stands.map(({ bot, run }) => [JSON.stringify([bot, run]), { bot, run }]));
    },
    note() {},
  };
}

/** Finds the run that a completion means: the named one, else the one where the caller stands, else the one that it used last. */
export async function meantDesk(
  bots: readonly ServedBot[],
  workplace: Pick<Workplace, "engine" | "runHere">,
  caller: string,
  asked: Asked,
  uses: Uses,
): Promise<Meant> {
  const known = bots.map(({ name }) => name).join(", ");
  const fitting =
    asked.bot === undefined ? bots : bots.filter(({ name, tool }) => [name, tool].includes(asked.bot ?? ""));
  const [first, second] = fitting;
  if (bots.length === 0) return { unknown: "no bot is served: its definitions are gone or empty" };
  if (first === undefined) return { unknown: `bot: no bot ${asked.bot}; there are ${known}` };
  if (asked.run !== undefined && second === undefined) return { bot: first, run: asked.run };
  const used = await uses.known();
  const last = [...used.values()].at(-1);
  if (asked.run !== undefined) {
    const users = [...used.values()].filter(({ run }) => run === asked.run);
    return { bot: fitting.find(({ name }) => name === (users.at(-1) ?? last)?.bot) ?? first, run: asked.run };
  }
  const own: DeskMeant[] = await Promise.all(
    fitting.map(async (bot) => ({ bot, run: await workplace.runHere(bot.name) })),
  );
  const others = [...used.values()].flatMap(({ bot: name, run }) => {
    const bot = fitting.find((candidate) => candidate.name === name);
    return bot === undefined || own.some((one) => one.bot === bot && one.run === run) ? [] : [{ bot, run }];
  });
  const [only] = own;
  if (only !== undefined && second === undefined && others.length === 0) return only;
  const open = await openSteps([...own, ...others], workplace, caller, used);
  const meant = open.filter(
    ({ behavior, action }) =>
      (asked.behavior ?? behavior) === behavior && (asked.action === undefined || asked.action === action),
  );
  const [one] = meant;
  if (one !== undefined && meant.every(({ bot, run }) => bot === one.bot && run === one.run)) return one;
  if (one !== undefined) {
    // Whoever names all but the run means the one that needs no name.
    const isWhole = [asked.bot, asked.behavior, asked.action].every((part) => part !== undefined);
    const unnamed = meant.find(({ bot, run }) => own.some((place) => place.bot === bot && place.run === run));
    return isWhole && unnamed !== undefined ? unnamed : { open: meant };
  }
  return (
    [...others, ...own].find(({ bot, run }) => bot.name === last?.bot && run === last.run) ??
    only ?? { bot: first, run: undefined }
  );
}

/** What a caller opened in these runs and has not completed; runs where it has nothing open need not be looked at again. */
async function openSteps(
  desks: readonly DeskMeant[],
  workplace: Pick<Workplace, "engine">,
  caller: string,
  used: Used,
): Promise<readonly OpenStep[]> {
  const last = [...used.keys()].at(-1);
  const found = desks.map(async ({ bot, run }): Promise<readonly OpenStep[]> => {
    const { standings, asides } = await (await workplace.engine(bot.name, run)).glance();
    const open = openAt({ standings, asides }, caller).map((step) => ({ bot, run, ...step }));
    const key = JSON.stringify([bot.name, run]);
    if (open.length === 0 && key !== last) used.delete(key);
    return open;
  });
  return (await Promise.all(found)).flat();
}

function openAt(
  { standings, asides }: Pick<Desk, "standings" | "asides">,
  caller: string,
): { readonly behavior?: string; readonly action: string }[] {
  const steps = (standings.get(caller) ?? []).map(({ workflow, step }) => ({ behavior: workflow, action: step }));
  const aside = [...asides].flatMap(([action, { status, openedBy }]) =>
    status === "started" && openedBy === caller ? [{ action }] : [],
  );
  return [...steps, ...aside];
}
