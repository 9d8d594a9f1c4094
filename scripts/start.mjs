import { join } from "node:path";
import { home, run } from "./set-up.mjs";

run(process.execPath, [join(home, "scripts/build.mjs"), "--quick"]);
run(process.execPath, [join(home, "examples/demo/demo.mjs"), ...process.argv.slice(2)]);

console.log(`
Next:
  npm install -g .                                    here: makes the command waymark; keep this clone where it is
  waymark init --template story-bot --client claude   in your own project; without options it asks
Add --vendor to put a copy of Waymark into the project for git, so that colleagues need only Node.
Without the first line, type npx ${home.replace(/[/\\]$/, "")} for waymark.`);
