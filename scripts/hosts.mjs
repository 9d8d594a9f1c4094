import { join } from "node:path";
import { home, install, requireNode, run, runTool } from "./set-up.mjs";

/** `npm run hosts`: Claude Code, Codex, Gemini CLI, Qwen Code, Copilot CLI and OpenCode as they come from npm, walked against a scripted model. */
requireNode();
install();
install(join(home, "test/hosts"), "Claude Code and Codex");
install(join(home, "test/hosts/more"), "Gemini CLI, Qwen Code, Copilot CLI and OpenCode");
run(process.execPath, [join(home, "scripts/build.mjs"), "--quick"]);
process.env.WAYMARK_HOSTS = "all";
runTool("vitest", ["run", "test/hosts/walk", "--maxWorkers=1", "--reporter=verbose", ...process.argv.slice(2)]);
