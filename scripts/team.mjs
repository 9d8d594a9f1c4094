import { join } from "node:path";
import { home, install, requireNode, run } from "./set-up.mjs";

/** `npm run team`: two assistants on three replicas, one of which is killed, and then the primary database. */
requireNode();
install();
run(process.execPath, [join(home, "scripts/build.mjs"), "--quick"]);
run(process.execPath, [join(home, "examples/team/team.mjs"), ...process.argv.slice(2)]);
