import { join } from "node:path";
import { home, run } from "./set-up.mjs";

run(process.execPath, [join(home, "scripts/build.mjs"), "--quick"]);
run(process.execPath, [join(home, "examples/demo/demo.mjs"), ...process.argv.slice(2)]);
