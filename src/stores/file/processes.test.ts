import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fileHistory } from "./file-history.ts";

let folder: string;
let script: string;

const source = `
import { fileHistory } from "${join(import.meta.dirname, "file-history.ts")}";
import { startedExample } from "${join(import.meta.dirname, "../../testing/example-events.ts")}";
const [projectArea, by, count] = process.argv.slice(2);
const history = fileHistory({ projectArea, bot: "story_bot", clock: () => new Date() });
for (let number = 0; number < Number(count); ) {
  const { seen, found } = await history.look();
  if (found.kind !== "current" && found.kind !== "behind") throw new Error("taken for " + found.kind);
  const { status, warnings } = await history.append(seen, [startedExample(number, by)]);
  if (warnings.length > 0) throw new Error(warnings.join());
  if (status === "recorded") process.stdout.write(number++ + "\\n");
}
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "waymark-processes-"));
  script = join(folder, "child.mjs");
  const entry = join(folder, "child.ts");
  writeFileSync(entry, source);
  buildSync({ entryPoints: [entry], outfile: script, bundle: true, platform: "node", format: "esm" });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a process that appends; answers which appends it was told are recorded, and how it ended. */
function startWriter(area: string, by: string, count: number) {
  const child: ChildProcess = spawn(process.execPath, [script, area, by, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const acknowledged: number[] = [];
  if (child.stdout !== null) createInterface(child.stdout).on("line", (line) => acknowledged.push(Number(line)));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, acknowledged, ended };
}

function freshArea(): string {
  return mkdtempSync(join(folder, "area-"));
}

async function recordedBy(area: string, by: string): Promise<readonly string[]> {
  const history = fileHistory({ projectArea: area, bot: "story_bot", clock: () => new Date() });
  const events = await history.events();
  history.close();
  return events.flatMap((event) => (event.by === by && event.type === "started" ? [event.step] : []));
}

it("two processes that write at once make one history, and nothing that was acknowledged is lost", async () => {
  const area = freshArea();
  const writers = ["one", "two"].map((by) => ({ by, ...startWriter(area, by, 200) }));
  for (const { ended } of writers) expect(await ended).toBe(0);
  const expected = Array.from({ length: 200 }, (_, number) => `step_${number}`);
  for (const { by } of writers) expect(await recordedBy(area, by)).toEqual(expected);
  expect(JSON.parse(readFileSync(join(area, "activity_log.json"), "utf8"))).toHaveLength(400);
  const history = fileHistory({ projectArea: area, bot: "story_bot", clock: () => new Date() });
  expect(await history.look()).toMatchObject({ seen: 400, found: { kind: "current" }, warnings: [] });
  history.close();
});

it("a process killed at any moment loses nothing that was acknowledged, and leaves both files whole", async () => {
  const area = freshArea();
  for (let round = 0; round < 20; round++) {
    const writer = startWriter(area, `round ${round}`, 100_000);
    await new Promise<void>((resolve) => writer.child.stdout?.once("data", () => resolve()));
    await new Promise((resolve) => setTimeout(resolve, round * 3));
    writer.child.kill("SIGKILL");
    await writer.ended;
    const recorded = await recordedBy(area, `round ${round}`);
    const acknowledged = writer.acknowledged.map((number) => `step_${number}`);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(recorded.slice(0, acknowledged.length)).toEqual(acknowledged);
    expect(recorded.length).toBeLessThanOrEqual(acknowledged.length + 1);
    for (const name of ["workflow_state.json", "activity_log.json"])
      expect(() => JSON.parse(readFileSync(join(area, name), "utf8"))).not.toThrow();
  }
});
