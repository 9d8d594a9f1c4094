import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditJournal } from "../../src/stores/file/audit-journal.ts";
import { openWindow } from "../../src/stores/file/window.testing.ts";
import { wholeOr } from "../whole.ts";
import { progress, report } from "./figures.ts";
import { untimed } from "./go-through.ts";

/** `npm test` kills some; `npm run faults` kills a thousand. */
const kills = wholeOr(1000, 12);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "waymark-kills-"));
  const entryPoints = ["writer", "onlooker"].map((name) => join(import.meta.dirname, `${name}.ts`));
  buildSync({
    entryPoints,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

function start(script: string, args: readonly string[], hear: (line: string) => void): ChildProcess {
  const child = spawn(process.execPath, [join(folder, script), ...args], { stdio: ["pipe", "pipe", "pipe"] });
  createInterface({ input: child.stdout }).on("line", hear);
  child.stderr.on("data", (chunk) => process.stderr.write(chunk));
  return child;
}

// Attack (shell): Kill the server at any moment, fill the disk, pull the plug
it(
  `${kills} SIGKILLs over four writers: nothing acknowledged is lost, no fork, both files whole at every look`,
  untimed,
  async () => {
    const area = mkdtempSync(join(folder, "area-"));
    const acknowledged: string[] = [];
    const mistakes: string[] = [];
    let looks = 0;
    const onlooker = start("onlooker.mjs", [area], (line) => {
      const said = JSON.parse(line);
      if (said.looks === undefined) mistakes.push(line);
      else looks = said.looks;
    });
    let killed = 0;
    let generation = 0;
    const writer = async (name: string): Promise<void> => {
      while (killed < kills) {
        const by = `${name}.${generation++}`;
        let hear = (): void => undefined;
        const heard = new Promise<void>((resolve) => {
          hear = resolve;
        });
        const child = start("writer.mjs", [area, by], (line) => {
          acknowledged.push(line);
          hear();
        });
        const gone = once(child, "close");
        await Promise.race([heard, gone]);
        await new Promise((resolve) => setTimeout(resolve, (killed * 7) % 23));
        if (child.exitCode !== null) mistakes.push(`${by} ended by itself`);
        child.kill("SIGKILL");
        await gone;
        killed += 1;
        progress("kills", killed, kills);
      }
    };
    await Promise.all(["one", "two", "three", "four"].map(writer));
    const ended = once(onlooker, "close");
    onlooker.stdin?.end();
    await ended;

    expect(mistakes).toEqual([]);
    const history = openWindow(area);
    const recorded = (await history.events()).map(({ by }) => by);
    history.close();
    const missing = acknowledged.filter((line) => !recorded.includes(line));
    expect(missing).toEqual([]);
    expect(new Set(recorded).size).toBe(recorded.length);
    const { breaks, records } = auditJournal(area, { kind: "bot", name: "story_bot" });
    expect([breaks, records]).toEqual([[], recorded.length]);
    expect(existsSync(join(area, ".waymark/kept"))).toBe(false);
    expect(looks).toBeGreaterThan(0);
    const how = `SIGKILL, 0 forks, ${looks} looks at whole files`;
    report({ part: "kills", faults: killed, acknowledged: acknowledged.length, how });
  },
);
