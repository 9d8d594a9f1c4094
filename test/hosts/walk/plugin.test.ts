import { describe, expect, it } from "vitest";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { walkOwnPlugin, walkPlugin } from "./plugin.ts";

/** All three under `npm run hosts`, one of them under `npm test`. */
const hosts = process.env.WAYMARK_HOSTS === "all" ? [claude, gemini, codex] : [claude];

describe.each(hosts)("a plugin or extension in $title", (host) => {
  it("is installed as generate says, walked to the end over an upgrade, and leaves nothing for git", async () => {
    const { saw, steps, runs, untracked, log } = await walkPlugin(host);
    for (const run of runs) expect(run.exitCode, run.stderr).toBe(0);
    expect(saw.opened).toContain("Ask the user who will read the stories");
    expect(saw.outside).toContain("is outside what story_bot.shape.gather_context may change");
    expect(saw.next).toContain("Write the stories anew.");
    expect(steps).toEqual([true, true]);
    expect(log).toMatch(/gather_context[\s\S]*render_output/);
    expect(untracked).toEqual([]);
  });
});

describe.skipIf(process.env.WAYMARK_HOSTS !== "all").each([claude, gemini, codex])(
  "Waymark's own plugin or extension in $title",
  (host) => {
    it("is installed from the folder of the package and opens the project's bot", async () => {
      const { opened, run } = await walkOwnPlugin(host);
      expect(run.exitCode, run.stderr).toBe(0);
      expect(opened).toContain("Ask the user who will read the stories");
    });
  },
);
