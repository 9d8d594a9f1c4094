import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startDatabases } from "../../scripts/team/databases.mjs";
import { readHistories } from "../../scripts/team/read-histories.mjs";
import { startReplica, waymark } from "../../scripts/team/replica.mjs";
import { startRoundRobin } from "../../scripts/team/round-robin.mjs";
import { paint, say, scene } from "../stage.mjs";
import { assistant } from "./assistant.mjs";

const root = mkdtempSync(join(tmpdir(), "waymark-team-"));
cpSync(fileURLToPath(new URL("../demo/project", import.meta.url)), root, { recursive: true });
const told = { acknowledged: new Set(), again: 0, calls: 0 };
const dead = (text) => say(paint(31, `   ✗ ${text}`));
const back = (text) => say(paint(32, `   ✓ ${text}`));

/** Waits until so much more has been acknowledged: the work goes on meanwhile. */
async function progress(more) {
  const before = told.acknowledged.size;
  while (told.acknowledged.size < before + more) await wait(20);
}

say(paint(1, "Waymark for a team: two assistants, three replicas of one server, one PostgreSQL with a standby."));

scene(1, "PostgreSQL starts, with a standby that every commit waits for; then three replicas behind a round robin.");
const { primary, standby, store, dispose } = await startDatabases();
const env = { ...process.env, XDG_STATE_HOME: join(root, "state"), WAYMARK_STORE: store };
const replicas = [];
const proxy = await startRoundRobin([0, 1, 2].map((index) => () => replicas[index].url()));
for (let count = 0; count < 3; count++) replicas.push(await startReplica(root, env, ["--public-url", proxy.url]));
say(`   ${store}`);
say(`   ${replicas.map(({ url }) => new URL(url()).host).join(", ")} behind ${proxy.url}/mcp`);

scene(2, "Each assistant has its own token. Each starts its own run, and any replica answers.");
const tokenFor = (name) => {
  const args = [waymark, "token", "add", name, "--role", "agent", "--root", root, "--json"];
  return JSON.parse(execFileSync(process.execPath, args, { env })).token;
};
const [anna, ben] = ["anna", "ben"].map((name) => ({ name, token: tokenFor(name) }));
const working = Promise.all([
  assistant({ ...anna, url: `${proxy.url}/mcp`, run: "reservations", era: "2026-07-28", told }),
  assistant({ ...ben, url: `${proxy.url}/mcp`, run: "deliveries", era: "2025-11-25", told }),
]);
await progress(4);

scene(3, "A replica is killed in the middle: kill -9. It held nothing; the others continue the same sessions.");
await replicas[0].stop();
dead("replica 1 is gone");
await progress(4);
await replicas[0].start();
back("replica 1 is back, and knows everything");
await progress(2);

scene(
  4,
  "The primary database is killed. Until the standby takes over, nothing is acknowledged that is not on record.",
);
await primary.stop("SIGKILL");
dead("the primary is gone");
await wait(1500);
await standby.promote();
back("the standby has taken over");
await working;

scene(5, "Both are done. Every history is read again, from its first record.");
for (const replica of replicas) await replica.stop("SIGTERM");
proxy.close();
const { marks, problems } = await readHistories(root, { ...env, WAYMARK_STORE: standby.url });
await dispose();
rmSync(root, { recursive: true, force: true });
const lost = [...told.acknowledged].filter((mark) => !marks.has(mark)).length;
const doubled = [...marks.values()].filter((count) => count > 1).length;
say(`   ${told.calls} calls, ${told.again} of them sent again while a server was away`);
say(
  `   ${told.acknowledged.size} completions acknowledged: ${lost} lost, ${doubled} doubled, ${problems.length} forks`,
);
const isSound = lost + doubled + problems.length === 0 && told.acknowledged.size === 20;
say(paint(isSound ? 32 : 31, isSound ? "   ✓ nothing acknowledged was lost" : "   ✗ it does not hold"));
process.exit(isSound ? 0 : 1);
