import { readdirSync } from "node:fs";
import { join } from "node:path";
import { home, run } from "./set-up.mjs";

run(process.execPath, [join(home, "scripts/build.mjs"), "--quick"]);
const shared = new Set(["bare-http-server.mjs", "bare-server.mjs", "dashboard-data.mjs", "phases.mjs", "wire.mjs"]);
for (const file of readdirSync(join(home, "bench")).filter((name) => name.endsWith(".mjs") && !shared.has(name))) {
  console.log(`\n— ${file}`);
  run(process.execPath, [join(home, "bench", file), ...process.argv.slice(2)]);
}
