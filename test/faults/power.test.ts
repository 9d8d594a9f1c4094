import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditJournal } from "../../src/stores/file/audit-journal.ts";
import { openWindow } from "../../src/stores/file/window.testing.ts";
import { completedExample, startedExample } from "../../src/testing/index.ts";
import { wholeOr } from "../whole.ts";
import { progress, report } from "./figures.ts";
import { untimed } from "./go-through.ts";
import { cannotMount, mountImage, run } from "./mounts.ts";

/** `npm test` cuts the power a few times; `npm run faults` forty times. */
const cuts = wholeOr(40, 3);
const reason = cannotMount();
if (reason !== undefined) process.stdout.write(`Skipped: power cuts and full disks (${reason}).\n`);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "waymark-power-"));
  const entry = join(import.meta.dirname, "writer.ts");
  buildSync({
    entryPoints: [entry],
    outfile: join(folder, "writer.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes on a file system in an image until the power goes: what the disk holds at that moment is a copy of the image. */
async function cutPower(round: number): Promise<{ readonly image: string; readonly acknowledged: readonly string[] }> {
  const image = join(folder, `disk-${round}.img`); // what is let go of lazily may still hold the one before
  const fd = openSync(image, "w");
  ftruncateSync(fd, 32 << 20);
  closeSync(fd);
  run("mkfs.ext4", "-q", "-F", image);
  const disk = join(folder, `disk-${round}`); // another disk in the same place would be another history
  mountImage(image, disk);
  try {
    const acknowledged: string[] = [];
    const area = join(disk, "area");
    mkdirSync(area);
    run("sync", "-f", disk);
    const child = spawn(process.execPath, [join(folder, "writer.mjs"), area, "writer"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => acknowledged.push(line));
    await once(lines, "line");
    await new Promise((resolve) => setTimeout(resolve, (round * 37) % 400));
    const gone = once(child, "close");
    child.kill("SIGKILL");
    const copy = join(folder, `cut-${round}.img`);
    run("cp", "--sparse=always", image, copy);
    await gone;
    return { image: copy, acknowledged };
  } finally {
    run("umount", "-l", disk);
    rmSync(image);
  }
}

it.skipIf(reason !== undefined)(
  `${cuts} power cuts: every acknowledged record is kept, and the files are put right`,
  untimed,
  async () => {
    let [records, behind, broken] = [0, 0, 0];
    for (let round = 0; round < cuts; round++) {
      const { image, acknowledged } = await cutPower(round);
      const disk = join(folder, `after-${round}`);
      mountImage(image, disk);
      try {
        const area = join(disk, "area");
        const history = openWindow(area);
        const recorded = (await history.events()).map(({ by }) => by);
        expect(recorded.slice(0, acknowledged.length)).toEqual(acknowledged);
        broken += ["workflow_state.json", "activity_log.json"].filter((name) => !isWhole(join(area, name))).length;
        const { found, seen, warnings } = await history.look();
        expect([["current", "behind", "malformed"].includes(found.kind), warnings]).toEqual([true, []]);
        behind += found.kind === "current" ? 0 : 1;
        if (found.kind !== "current")
          expect(await history.repair({ keepAside: found.kind === "malformed" })).toEqual([]);
        expect(await history.append(seen, [startedExample(1, "after")])).toEqual({ status: "recorded", warnings: [] });
        for (const name of ["workflow_state.json", "activity_log.json"]) expect(isWhole(join(area, name))).toBe(true);
        expect(auditJournal(area, { kind: "bot", name: "story_bot" }).breaks).toEqual([]);
        history.close();
        records += acknowledged.length;
        progress("power cuts", round + 1, cuts);
      } finally {
        run("umount", "-l", disk);
        rmSync(image);
      }
    }
    const how = `files: ${broken} broken, ${behind} behind, all put right`;
    report({ part: "power cuts", faults: cuts, acknowledged: records, how });
  },
);

// Attack (shell): Kill the server at any moment, fill the disk, pull the plug
it.skipIf(reason !== undefined)(
  "a disk of 64 KB that is full and then freed: nothing acknowledged is lost, and the backlog is written",
  async () => {
    const disk = join(folder, "small");
    mkdirSync(disk);
    run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk);
    try {
      const history = openWindow(disk);
      const events = [];
      const statuses = new Set<string>();
      for (let k = 0; k < 20; k++) {
        if (k === 4) fill(join(disk, "filler"));
        if (k === 16) rmSync(join(disk, "filler"), { force: true });
        const large = k >= 6 && k < 8 ? { inputs: { note: "x".repeat(3000) } } : {};
        const event = { ...(k % 2 === 0 ? startedExample(k % 4) : completedExample((k - 1) % 4)), ...large };
        const { seen } = await history.look();
        const { status, warnings } = await history.append(seen, [event]);
        statuses.add(status);
        if (status === "held") expect(warnings).toHaveLength(2);
        else expect(status).toBe("recorded");
        events.push(event);
      }
      expect([...statuses]).toEqual(["recorded", "held"]);
      expect((await history.look()).warnings).toEqual([]);
      history.close();
      const later = openWindow(disk);
      expect(await later.events()).toEqual(events);
      expect((await later.look()).found).toEqual({ kind: "current" });
      later.close();
      expect(existsSync(join(disk, ".waymark/kept"))).toBe(false);
    } finally {
      run("umount", "-l", disk);
    }
  },
);

/** Takes all the room there is. */
function fill(path: string): void {
  for (let size = 64 << 10; size > 0; size -= 1 << 10) {
    try {
      writeFileSync(path, Buffer.alloc(size));
      return;
    } catch {
      rmSync(path, { force: true });
    }
  }
}

function isWhole(path: string): boolean {
  try {
    JSON.parse(readFileSync(path, "utf8"));
    return true;
  } catch {
    return false;
  }
}
