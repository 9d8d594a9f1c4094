import type { ServedBot } from "../engine/ports/definitions.ts";
import type { LoadedStream } from "../engine/ports/event-log.ts";
import type { Workplace } from "../engine/workplace.ts";
import { defined } from "../kit/defined.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";

/** A run of a bot; `undefined` is the default run. */
export type MeantRun = { readonly bot: ServedBot; readonly run: string | undefined };

/** A run with the histories that were read to find it, by `runKey`. */
export type FoundRun = MeantRun & { readonly read: ReadonlyMap<string, LoadedStream> };

/** The run that a completion is for; or several that the caller must choose from, or a message if none is served. */
export type RunMatch = FoundRun | { readonly open: readonly OpenAction[] } | { readonly unknown: string };

/** A step that a caller opened and has not completed. */
export type OpenAction = MeantRun & { readonly behavior?: string; readonly action: string; readonly attempt?: string };

/** The names by which a call identifies its step. */
export type NamedStep = {
  readonly bot?: string | undefined;
  readonly run?: string | undefined;
  readonly behavior?: string | undefined;
  readonly action?: string | undefined;
  readonly attempt?: string | undefined;
};

/** The runs that a connection has used, most recent last. */
type UsedRunMap = Map<string, { readonly bot: string; readonly run: string | undefined }>;

/** The same with the histories that were read to find them. */
type KnownRuns = { readonly used: UsedRunMap; readonly read: FoundRun["read"] };

/** The runs that a connection has used, looked up when a call does not name one. */
export type UsedRuns = { known(): Promise<KnownRuns>; note(bot: string, run: string | undefined): void };

/** The key of a run among those that were read. */
export function runKey(bot: string, run: string | undefined): string {
  return JSON.stringify([bot, run]);
}

/** At most this many are remembered. */
const maxUsedRuns = 200;

/** Remembers the runs that one connection uses. */
export function usedRunsInMemory(): UsedRuns {
  const used: UsedRunMap = new Map();
  return {
    known: async () => ({ used, read: new Map() }),
    note(bot, run) {
      const key = runKey(bot, run);
      used.delete(key);
      used.set(key, { bot, run });
      const [oldest] = used.keys();
      if (used.size > maxUsedRuns && oldest !== undefined) used.delete(oldest);
    },
  };
}

/** Derives the runs in use from the record, because a visitor's next call may reach another server. */
export function usedRunsOnRecord(workplace: Pick<Workplace, "openStepsOf">, caller: string): UsedRuns {
  return {
    async known() {
      const { open, read } = await workplace.openStepsOf(caller);
      return {
        used: new Map(open.map(({ bot, run }) => [runKey(bot, run), { bot, run }])),
        read: new Map(read.map(({ bot, run, loaded }) => [runKey(bot, run), loaded])),
      };
    },
    note() {},
  };
}

/** Finds the run that a completion means: the named one, the one where the caller has an open step, or the last used. */
export async function findRun(
  bots: readonly ServedBot[],
  workplace: Pick<Workplace, "engine" | "runHere">,
  caller: string,
  requested: NamedStep,
  uses: UsedRuns,
): Promise<RunMatch> {
  const known = bots.map(({ name }) => name).join(", ");
  const fitting =
    requested.bot === undefined ? bots : bots.filter(({ name, tool }) => [name, tool].includes(requested.bot ?? ""));
  const [first, second] = fitting;
  if (bots.length === 0) return { unknown: "no bot is served: the definitions are missing or empty" };
  if (first === undefined) return { unknown: `bot: no bot ${requested.bot}; there are ${known}` };
  if (requested.run !== undefined && second === undefined) return { bot: first, run: requested.run, read: new Map() };
  const { used, read } = await uses.known();
  const last = [...used.values()].at(-1);
  if (requested.run !== undefined) {
    const users = [...used.values()].filter(({ run }) => run === requested.run);
    const bot = fitting.find(({ name }) => name === (users.at(-1) ?? last)?.bot) ?? first;
    return { bot, run: requested.run, read };
  }
  const own: MeantRun[] = await Promise.all(
    fitting.map(async (bot) => ({ bot, run: await workplace.runHere(bot.name) })),
  );
  const others = [...used.values()].flatMap(({ bot: name, run }) => {
    const bot = fitting.find((candidate) => candidate.name === name);
    return bot === undefined || own.some((one) => one.bot === bot && one.run === run) ? [] : [{ bot, run }];
  });
  const [only] = own;
  if (only !== undefined && second === undefined && others.length === 0) return { ...only, read };
  const open = await openSteps([...own, ...others], workplace, caller, { used, read });
  const meant = open.filter(
    ({ behavior, action, attempt }) =>
      (requested.attempt ?? attempt) === attempt &&
      (requested.behavior ?? behavior) === behavior &&
      (requested.action === undefined || requested.action === action),
  );
  const [one] = meant;
  if (one !== undefined && meant.every(({ bot, run }) => bot === one.bot && run === one.run)) return { ...one, read };
  if (one !== undefined) {
    // a call that names everything but the run means the default run
    const isWhole = [requested.bot, requested.behavior, requested.action].every((part) => part !== undefined);
    const unnamed = meant.find(({ bot, run }) => own.some((place) => place.bot === bot && place.run === run));
    return isWhole && unnamed !== undefined ? { ...unnamed, read } : { open: meant };
  }
  const lastUsed = [...others, ...own].find(({ bot, run }) => bot.name === last?.bot && run === last.run);
  return { ...(lastUsed ?? only ?? { bot: first, run: undefined }), read };
}

/** The steps a caller has open in these runs; runs without any are forgotten. */
async function openSteps(
  streams: readonly MeantRun[],
  workplace: Pick<Workplace, "engine">,
  caller: string,
  { used, read }: KnownRuns,
): Promise<readonly OpenAction[]> {
  const last = [...used.keys()].at(-1);
  const found = streams.map(async ({ bot, run }): Promise<readonly OpenAction[]> => {
    const key = runKey(bot.name, run);
    const stream = read.get(key)?.stream ?? (await (await workplace.engine(bot.name, run)).peek());
    const open = openActionsOf(stream, caller).map((step) => ({ bot, run, ...step }));
    if (open.length === 0 && key !== last) used.delete(key);
    return open;
  });
  return (await Promise.all(found)).flat();
}

function openActionsOf(
  { openSteps: statuses, independentSteps, runs }: Pick<StreamSnapshot, "openSteps" | "independentSteps" | "runs">,
  caller: string,
): Omit<OpenAction, keyof MeantRun>[] {
  const steps = (statuses.get(caller) ?? []).map(({ workflow, step }) => {
    const attempt = runs.get(workflow)?.steps.get(step)?.id;
    return { behavior: workflow, action: step, ...defined({ attempt }) };
  });
  const independent = [...independentSteps].flatMap(([action, { status, openedBy, id: attempt }]) =>
    status === "started" && openedBy === caller ? [{ action, ...defined({ attempt }) }] : [],
  );
  return [...steps, ...independent];
}
