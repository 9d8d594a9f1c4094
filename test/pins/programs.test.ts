import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const home = join(import.meta.dirname, "../..");

/** Every file that starts a program, and which. */
const starts = {
  "src/checks/commands/container.ts": "unshare or bwrap, to contain a check",
  "src/checks/commands/run-command.ts": "our supervisor",
  "src/checks/commands/supervise.ts": "a trusted command",
  "src/cli/terminal/open-browser.ts": "the person's browser",
  "src/generator/trial-start.ts": "the generated server, once",
  "src/hosts/diagnose-start.ts": "the node that hosts start, for its version",
  "src/hosts/opencode.ts": "the hook, from the plugin that it writes",
  "src/repository/git/ask-git.ts": "git",
};

test("only these files start a program, and one of them asks git", () => {
  const files = readdirSync(join(home, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file.replaceAll("\\", "/")}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test(?:ing)?\.tsx?$/.test(file))
    .filter((file) =>
      /import (?!type)[^;]*node:child_process|\("node:child_process"\)/.test(readFileSync(join(home, file), "utf8")),
    );
  expect(files.sort()).toEqual(Object.keys(starts));
});
