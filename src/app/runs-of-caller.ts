import type { Store } from "../stores/store.ts";

/** The runs of a bot in which a caller has open steps, and since when. */
export async function openRunsOfCaller(
  { log, openFor: status }: Store,
  bot: string,
  caller: string,
): Promise<readonly { readonly bot: string; readonly run: string | undefined; readonly since: string }[]> {
  const all = (await status?.(caller)) ?? (await log.streams("bot"));
  const found = all
    .filter(({ kind, name }) => kind === "bot" && name === bot)
    .map(async (id) => {
      const { runs, openSteps, independentSteps } = (await log.load(id)).stream;
      const steps = (openSteps.get(caller) ?? []).map(({ workflow, step }) => runs.get(workflow)?.steps.get(step));
      const independent = [...independentSteps.values()].filter(
        ({ status, openedBy }) => status === "started" && openedBy === caller,
      );
      const opened = [...steps, ...independent].flatMap((state) => (state === undefined ? [] : [state.startedAt]));
      return opened.length === 0 ? [] : [{ bot, run: id.run, since: opened.sort().at(-1) ?? "" }];
    });
  return (await Promise.all(found)).flat();
}
