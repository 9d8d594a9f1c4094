import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { array, asyncProperty, assert as check, constant, integer, oneof, record } from "fast-check";
import { expect, it } from "vitest";
import { auditJournal } from "../../src/stores/file/audit-journal.ts";
import { openWindow, windowOn } from "../../src/stores/file/window.testing.ts";
import { memoryStore } from "../../src/stores/memory/memory-store.ts";
import { completedExample, startedExample } from "../../src/testing/index.ts";
import type { Event } from "../../src/workflow/events.ts";
import { reconcile } from "../../src/workflow/reconcile.ts";
import type { Plan, Policy } from "../../src/workflow/workflow.ts";
import { wholeOr } from "../whole.ts";

const window = integer({ min: 0, max: 2 });
const commands = oneof(
  { weight: 6, arbitrary: record({ kind: constant("append"), window, number: integer({ min: 0, max: 3 }) }) },
  { weight: 2, arbitrary: record({ kind: constant("look"), window }) },
  /** A window dies and is opened again: what it held is gone, and nothing else. */
  { weight: 1, arbitrary: record({ kind: constant("crash"), window }) },
  { weight: 1, arbitrary: record({ kind: constant("edit") }) },
  { weight: 1, arbitrary: record({ kind: constant("delete") }) },
  /** An older file of ours comes back, as from another branch. */
  { weight: 1, arbitrary: record({ kind: constant("older") }) },
  { weight: 1, arbitrary: record({ kind: constant("garble") }) },
  { weight: 1, arbitrary: record({ kind: constant("break") }) },
  { weight: 2, arbitrary: record({ kind: constant("mend") }) },
);

const steps = ["step_0", "step_1", "step_2", "step_3"].map((name) => ({ name, auto: false }));
const policy: Policy = {
  onComplete: "leaves the next",
  aheadVisible: "names",
  onViewEdit: "obeyed",
  definition: "live",
  onUnrecorded: "held",
  onResume: "asks",
  outOfTurnCode: "conflict",
};
const plan: Plan = {
  policy,
  name: "story_bot",
  workflows: [{ name: "discovery", steps }],
  independent: [],
  ordered: false,
};

/** A project area with three windows, and beside it a history in memory that is told everything that was acknowledged. */
function openWorld() {
  const projectArea = mkdtempSync(join(tmpdir(), "waymark-model-"));
  const open = () => openWindow(projectArea);
  const windows = [open(), open(), open()];
  const files = { state: join(projectArea, "workflow_state.json"), log: join(projectArea, "activity_log.json") };
  const journals = join(projectArea, ".waymark/journal");
  const model = windowOn(memoryStore(), { kind: "bot", name: "story_bot" }, "hold");
  const older: string[] = [];
  let number = 0;

  const at = (index: number) => windows[index] ?? open();
  /** Everything the store says is recorded; held events join when they are seen in the journal. */
  const catchUp = async (): Promise<void> => {
    const events = await at(0).events();
    const known = await model.events();
    expect(events.slice(0, known.length)).toEqual(known);
    for (const [index, event] of events.entries())
      if (index >= known.length) await model.append((await model.look()).seen, [event]);
  };

  async function settle(index: number): Promise<number> {
    for (;;) {
      const { seen, found, stream } = await at(index).look();
      const by = `window ${index}`;
      const settled = reconcile(found, {
        plan,
        stream,
        hasHistory: seen > 0,
        externalEdits: "obey",
        stamp: { at: new Date().toISOString(), by },
      });
      if (settled.events.length > 0 && (await at(index).append(seen, settled.events)).status === "behind") continue;
      if (settled.repair !== null) await at(index).repair(settled.repair);
      return settled.events.length + (settled.repair === null ? 0 : 1) > 0 ? (await at(index).look()).seen : seen;
    }
  }

  return { projectArea, windows, files, journals, model, older, catchUp, settle, at, open, next: () => number++ };
}

it("any windows, crashes, edits and faults: the store says what a model in memory says, and loses nothing acknowledged", async () => {
  const property = asyncProperty(array(commands, { maxLength: 40 }), async (script) => {
    const world = openWorld();
    const { files, journals, windows, projectArea } = world;
    const acknowledged: Event[] = [];
    let isBroken = false;
    for (const command of script) {
      switch (command.kind) {
        case "append": {
          const k = world.next();
          const by = `${command.window} ${k}`;
          const event = k % 2 === 0 ? startedExample(command.number, by) : completedExample(command.number, by);
          const seen = await world.settle(command.window);
          const { status, warnings } = await world.at(command.window).append(seen, [event]);
          if (status === "recorded") acknowledged.push(event);
          expect([status, warnings.length > 0]).toEqual(isBroken ? ["held", true] : ["recorded", false]);
          if (existsSync(files.state)) world.older.push(readFileSync(files.state, "utf8"));
          break;
        }
        case "look":
          await world.settle(command.window);
          break;
        case "crash":
          windows[command.window] = world.open();
          break;
        case "edit":
          if (!isBroken)
            writeFileSync(
              files.state,
              JSON.stringify({
                current_behavior: "discovery",
                current_action: `step_${world.next() % 4}`,
                action_state: "started",
              }),
            );
          break;
        case "delete":
          if (!isBroken) rmSync(files.state, { force: true });
          break;
        case "older":
          if (!isBroken && world.older[0] !== undefined) writeFileSync(files.state, world.older[0]);
          break;
        case "garble":
          if (!isBroken) writeFileSync(files.state, "{");
          break;
        case "break":
          if (isBroken || !existsSync(journals)) break;
          renameSync(journals, `${journals}.aside`);
          writeFileSync(journals, "in the way");
          isBroken = true;
          break;
        case "mend":
          if (!isBroken) break;
          rmSync(journals);
          renameSync(`${journals}.aside`, journals);
          isBroken = false;
      }
    }
    if (isBroken) {
      rmSync(journals);
      renameSync(`${journals}.aside`, journals);
    }
    for (const index of [0, 1, 2]) await world.settle(index);
    await world.catchUp();
    const views = await world.model.views();
    for (const index of [0, 1, 2]) {
      expect(await world.at(index).events()).toEqual(await world.model.events());
      expect(await world.at(index).views()).toEqual(views);
      expect((await world.at(index).look()).stream).toEqual((await world.model.look()).stream);
    }
    const events = await world.model.events();
    let place = -1;
    for (const event of acknowledged) {
      const found = events.findIndex((one, index) => index > place && one.by === event.by);
      expect(found).toBeGreaterThan(place);
      place = found;
    }
    expect(existsSync(files.state) ? JSON.parse(readFileSync(files.state, "utf8")) : null).toEqual(views.state);
    if (existsSync(join(journals, "story_bot.jsonl")))
      expect(auditJournal(projectArea, { kind: "bot", name: "story_bot" }).breaks).toEqual([]);
    for (const opened of windows) opened.close();
    rmSync(projectArea, { recursive: true });
  });
  await check(property, { numRuns: wholeOr(1000, 40) });
});
