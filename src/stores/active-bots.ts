import type { Store } from "./store.ts";

/** The bots with a history in a store, most recent first. */
export async function activeBots(store: Pick<Store, "log" | "activeBots">): Promise<readonly string[]> {
  if (store.activeBots !== undefined) return store.activeBots();
  const bots = await store.log.streams("bot");
  const found = await Promise.all(
    bots.map(async (id) => {
      const { seen, stream } = await store.log.load(id);
      return seen === 0 ? [] : [{ bot: id.name, since: stream.focus?.timestamp ?? "" }];
    }),
  );
  return found
    .flat()
    .sort((a, b) => (a.since < b.since ? 1 : -1))
    .map(({ bot }) => bot);
}
