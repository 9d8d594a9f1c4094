import { setTimeout as wait } from "node:timers/promises";
import { type BotOptions, enginesFor, workplaceFor } from "./workplace.ts";

/** Another process's record is seen within twice this time, at little cost: an unchanged journal is only looked at. */
const pauseMs = 80;

/** Acts at once, and again whenever anything has been recorded; ends with the process. */
export async function follow(options: BotOptions, act: (source: Followed) => Promise<void>): Promise<never> {
  const source: Followed = { engines: enginesFor(options), phased: workplaceFor(options).phased };
  let known = "";
  for (;;) {
    const now = await countRecords(source, options);
    if (now !== known) await act(source);
    known = now;
    await wait(pauseMs);
  }
}

/** What is followed: opened once, so that only what is new is read. */
export type Followed = {
  readonly engines: ReturnType<typeof enginesFor>;
  readonly phased: ReturnType<typeof workplaceFor>["phased"];
};

async function countRecords({ engines, phased }: Followed, { bot }: BotOptions): Promise<string> {
  const ofBots = await Promise.all(engines.map(({ engine }) => engine.seen()));
  return [...ofBots, ...(bot === undefined ? [await phased.seen()] : [])].join();
}
