import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { home, install, requireNode, run } from "./set-up.mjs";

/** Every fault, every kill and every power cut, with the figures printed: `npm test` takes samples of the same. */
requireNode();
install();
run(process.execPath, [join(home, "scripts/build.mjs"), "--quick"]);
const vitest = join(home, "node_modules/vitest/vitest.mjs");
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "test/faults", "--maxWorkers=1", ...process.argv.slice(2)],
  {
    cwd: home,
    env: { ...process.env, WAYMARK_TESTS: "all" },
    stdio: "inherit",
  },
);
process.exit(status ?? 1);
