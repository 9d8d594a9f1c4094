import type { Store } from "./store.ts";

/** The bots with a history in a store, the latest first. */
export async function botsAtWork(store: Pick<Store, "log" | "atWork">): Promise<readonly string[]> {
  if (store.atWork !== undefined) return store.atWork();
  const bots = (await store.log.desks()).filter(({ kind }) => kind === "bot");
  const found = await Promise.all(
    bots.map(async (id) => {
      const { seen, desk } = await store.log.look(id);
      return seen === 0 ? [] : [{ bot: id.name, since: desk.focus?.timestamp ?? "" }];
    }),
  );
  return found
    .flat()
    .sort((a, b) => (a.since < b.since ? 1 : -1))
    .map(({ bot }) => bot);
}
