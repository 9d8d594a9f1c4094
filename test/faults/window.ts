import { openWindow } from "../../src/stores/file/window.testing.ts";
import { script } from "./script.ts";

/** A window in a process of its own: walks the script, says what became of every transition, and looks twice more at the end. */
const [projectArea = "", pause = "0"] = process.argv.slice(2);
const history = openWindow(projectArea);
// Time that passes between two transitions is told, not waited for.
const now = performance.now.bind(performance);
let passed = 0;
performance.now = () => now() + passed;
const say = (message: object): boolean => process.stdout.write(`${JSON.stringify(message)}\n`);

for (const [k, event] of script.entries()) {
  const { seen, warnings, found } = await history.look();
  if (found.kind === "behind") await history.repair({ keepAside: false });
  else if (found.kind !== "current") say({ mistaken: found.kind });
  if (seen !== k) say({ seen, k });
  say({ k, ...(await history.append(seen, [event])), before: warnings });
  passed += Number(pause);
}
for (let look = 0; look < 2; look++) {
  const { found } = await history.look();
  if (found.kind === "behind") await history.repair({ keepAside: false });
}
say({ end: true });
process.exit(0);
