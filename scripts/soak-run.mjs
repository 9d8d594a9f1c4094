import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { home } from "./set-up.mjs";
import { startBalancer } from "./team/balancer.mjs";
import { bridged } from "./team/bridged.mjs";
import { startDatabases } from "./team/databases.mjs";
import { readHistories } from "./team/read-histories.mjs";
import { startReplica } from "./team/replica.mjs";
import { newTally, quantile, walk } from "./team/walker.mjs";

/**
 * Clients call three replicas of a team's server in turn while those are killed and PostgreSQL is restarted, again and again;
 * then the primary is killed, and its synchronous standby takes over. At the end every history is read again: what was
 * acknowledged must be on record, once, in one chain. Bounded by what is acknowledged between two faults, not by time.
 */
export async function soak({ clients, faults, between, isBridged = false, say = () => {} }) {
  const root = mkdtempSync(join(tmpdir(), "waymark-soak-"));
  cpSync(join(home, "examples/demo/project"), root, { recursive: true });
  const { primary, standby, store, dispose } = await startDatabases();
  const env = { ...process.env, XDG_STATE_HOME: join(root, "state"), WAYMARK_STORE: store };
  const replicas = [];
  const balancer = isBridged ? await startBalancer(() => replicas.map((one) => one.url())) : undefined;
  const known = balancer === undefined ? [] : ["--public-url", balancer.origin];
  replicas.push(...(await Promise.all([0, 1, 2].map(() => startReplica(root, env, known)))));
  const bridges =
    balancer === undefined
      ? []
      : await Promise.all(Array.from({ length: clients }, () => bridged(`${balancer.origin}/mcp`, root, env)));
  const tally = newTally();
  let isOver = false;
  const began = performance.now();
  const working = Array.from({ length: clients }, (_, index) => {
    let turn = index;
    return walk(
      index,
      () => replicas[turn++ % replicas.length].url(),
      tally,
      () => isOver,
      undefined,
      bridges[index]?.send,
    );
  });
  const progress = async () => {
    const before = tally.acknowledged.size;
    while (tally.acknowledged.size < before + between) await wait(20);
  };
  let killed = 0;
  let restarted = 0;
  for (let fault = 0; fault < faults; fault++) {
    await progress();
    if (fault % 2 === 0) {
      const replica = replicas[(fault / 2) % 3];
      await replica.stop();
      await replica.start();
      killed += 1;
    } else {
      await primary.restart(fault % 4 === 1 ? "SIGKILL" : "SIGINT");
      restarted += 1;
    }
    say(`${tally.acknowledged.size} acknowledged, ${killed} replicas killed, PostgreSQL restarted ${restarted} times`);
  }
  await progress();
  await primary.stop("SIGKILL");
  await standby.promote();
  say("the primary is dead, the standby has taken over");
  await progress();
  isOver = true;
  await Promise.all(working);
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(bridges.map((one) => one.close()));
  balancer?.close();
  for (const replica of replicas) await replica.stop();
  const found = await readHistories(root, { ...env, WAYMARK_STORE: standby.url });
  await dispose();
  rmSync(root, { recursive: true, force: true });
  const { acknowledged, refused, broken, times } = tally;
  return {
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter((mark) => !found.marks.has(mark)).length,
    doubled: [...found.marks.values()].filter((count) => count > 1).length,
    forks: found.problems.length,
    histories: found.histories,
    killed,
    restarted,
    unavailable: refused,
    broken,
    seconds: Math.round(seconds),
    p50: Math.round(quantile(times, 0.5)),
    p99: Math.round(quantile(times, 0.99)),
  };
}
