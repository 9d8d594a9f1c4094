import { join } from "node:path";
import { home, install, requireNode, run } from "./set-up.mjs";

/** `npm run soak`: 200 clients on three replicas, with kills and restarts, and a failover at the end. Numbers may be given: clients, faults. */
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
process.exit(isSound ? 0 : 1);
