import { join } from "node:path";
import { home, run } from "./set-up.mjs";

run(process.execPath, [join(home, "scripts/build.mjs"), "--quick"]);
run(process.execPath, [join(home, "examples/demo/demo.mjs"), ...process.argv.slice(2)]);

console.log(`
Next, in your own project:
  npx ${home.replace(/[/\\]$/, "")} init            asks which process and which assistants, and sets them up
  npx ${home.replace(/[/\\]$/, "")} init --vendor   the same, with a copy of Waymark for git, so that colleagues need only Node`);
