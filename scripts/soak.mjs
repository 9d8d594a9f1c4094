import { join } from "node:path";
import { home, install, requireNode, run } from "./set-up.mjs";

/**
 * `npm run soak`: 200 clients on three replicas, with kills and restarts, and a failover at the end; then official clients behind a real
 * nginx, with rolling restarts and paused replicas. Numbers may be given: clients, faults.
 */
const given = process.argv.slice(2).map(Number);
if (given.length > 2 || given.some((number) => !Number.isInteger(number) || number < 1)) {
  console.error("npm run soak -- [CLIENTS [FAULTS]]: whole numbers, 200 and 12 where none are given.");
  process.exit(1);
}
requireNode();
install();
run(process.execPath, [join(home, "scripts/build.mjs"), "--quick"]);
const { soak } = await import("./soak-run.mjs");
const [clients = 200, faults = 12] = given;
const figures = await soak({ clients, faults, between: 2 * clients, say: (line) => console.log(line) });
for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(12)} ${value}`);
const isSound = figures.lost + figures.doubled + figures.forks === 0 && figures.acknowledged > 0;
console.log(isSound ? "✓ nothing acknowledged was lost or doubled, and no history forked" : "✗ it does not hold");

const { findNginx } = await import("./team/nginx.mjs");
const nginx = findNginx();
if (nginx === undefined) {
  console.log("– not run behind a proxy: there is no nginx here, and none could be installed");
  process.exit(isSound ? 0 : 1);
}
const { soakBehindProxy } = await import("./soak-proxy.mjs");
const how = { clients: Math.min(clients, 24), rounds: faults, between: 2 * Math.min(clients, 24) };
const behind = await soakBehindProxy({ nginx, ...how, say: (line) => console.log(line) });
for (const [name, value] of Object.entries(behind)) console.log(`${name.padEnd(12)} ${JSON.stringify(value)}`);
const { lost, doubled, misplaced, problems, unexpected } = behind;
const isSoundBehind = lost + doubled + misplaced + problems + unexpected.length === 0;
console.log(
  isSoundBehind ? "✓ the same behind nginx, and no call failed that could not be sent again" : "✗ it does not hold",
);
process.exit(isSound && isSoundBehind ? 0 : 1);
