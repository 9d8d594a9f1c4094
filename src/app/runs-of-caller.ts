import type { CallerRuns } from "../engine/workplace.ts";
import type { LoadedRun, Store } from "../stores/store.ts";

/** The runs of a bot in which a caller has open steps, with since when, and the histories that were read to find them. */
export async function openRunsOfCaller(
  store: Pick<Store, "log" | "openFor">,
  bot: string,
  caller: string,
): Promise<{
  readonly open: readonly (CallerRuns["open"][number] & { readonly since: string })[];
  readonly read: CallerRuns["read"];
}> {
  const all = (await store.openFor?.(caller, bot)) ?? (await allRuns(store, bot));
  const read = all.map(({ id: { run }, loaded }) => ({ bot, run, loaded }));
  const open = read.flatMap(({ run, loaded }) => {
    const { runs, openSteps, independentSteps } = loaded.stream;
    const steps = (openSteps.get(caller) ?? []).map(({ workflow, step }) => runs.get(workflow)?.steps.get(step));
    const independent = [...independentSteps.values()].filter(
      ({ status, openedBy }) => status === "started" && openedBy === caller,
    );
    const opened = [...steps, ...independent].flatMap((state) => (state === undefined ? [] : [state.startedAt]));
    return opened.length === 0 ? [] : [{ bot, run, since: opened.sort().at(-1) ?? "" }];
  });
  return { open, read };
}

async function allRuns({ log }: Pick<Store, "log">, bot: string): Promise<readonly LoadedRun[]> {
  const ids = (await log.streams("bot")).filter(({ name }) => name === bot);
  return Promise.all(ids.map(async (id) => ({ id, loaded: await log.load(id) })));
}
