import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type OpenedSessions, sessionStoreContract } from "../testing/index.ts";
import type { Event } from "../workflow/events.ts";
import { filePins } from "./file/session-pins.ts";
import { fileSessions } from "./file/session-store.ts";
import { memorySessions } from "./memory-sessions.ts";

const folders: string[] = [];
function area(): string {
  const folder = mkdtempSync(join(tmpdir(), "waymark-sessions-"));
  folders.push(folder);
  return folder;
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const stamp = { at: "2026-01-01T00:00:00.000Z", by: "test" };
const ref = (step: string) => ({ workflow: "survey", pass: 1, step, attempt: 1 });
const began: Event = {
  type: "session_began",
  ...stamp,
  workflow: "survey",
  target: null,
  options: {},
  definition: "d",
  first: 1,
  total: 2,
};
const start = (step: string): Event => ({ type: "started", ...stamp, ...ref(step), successor: null });
const complete = (step: string): Event => ({
  type: "completed",
  ...stamp,
  ...ref(step),
  duration: 1,
  word: { level: "auto" },
  fingerprint: "f",
  successor: null,
  next: null,
  finished: false,
  evidence: { proof: step },
});
const begin = [began, start("1")];
const pass = [complete("1"), start("2")];

const stores: Record<string, () => Promise<OpenedSessions>> = {
  memorySessions: async () => {
    const store = memorySessions();
    return { store: () => store, dispose: () => undefined };
  },
  fileSessions: async () => {
    const folder = area();
    return { store: () => fileSessions(folder), dispose: () => undefined };
  },
};

describe.each(Object.entries(stores))("%s", (_, open) => {
  for (const rule of sessionStoreContract()) it(rule.title, () => rule.run(open));
});

describe("the file that shows a session", () => {
  const show = (folder: string, id = "a"): string => join(folder, ".waymark", "sessions", `${id}.json`);

  async function walked(): Promise<{ folder: string; text: string }> {
    const folder = area();
    const session = fileSessions(folder).open("a");
    await session.append(0, begin);
    await session.append(1, pass);
    return { folder, text: readFileSync(show(folder), "utf8") };
  }

  it("has exactly the fields of the contract", async () => {
    const { text } = await walked();
    expect(Object.keys(JSON.parse(text))).toEqual([
      "session_id",
      "workflow_type",
      "target_file",
      "current_phase",
      "completed_phases",
      "total_phases",
      "phase_artifacts",
      "checkpoints",
      "created_at",
      "updated_at",
    ]);
  });

  it("an edit of it moves nothing: it is undone and reported", async () => {
    const { folder, text } = await walked();
    writeFileSync(show(folder), text.replace('"current_phase": 2', '"current_phase": 9'));
    const { desk, warnings } = await fileSessions(folder).open("a").look();
    expect(warnings.join()).toMatch(/changed outside Waymark/);
    expect(desk.runs.get("survey")?.steps.get("2")?.status).toBe("started");
    expect(readFileSync(show(folder), "utf8")).toBe(text);
    expect((await fileSessions(folder).open("a").look()).warnings).toEqual([]);
  });

  it.each([
    ["gone", (file: string) => rmSync(file)],
    ["empty", (file: string) => writeFileSync(file, "")],
  ])("one that is %s is written again without a word", async (_, spoil) => {
    const { folder, text } = await walked();
    spoil(show(folder));
    expect((await fileSessions(folder).open("a").look()).warnings).toEqual([]);
    expect(readFileSync(show(folder), "utf8")).toBe(text);
  });

  it("one from an earlier point of the history is brought up to date without a word", async () => {
    const folder = area();
    const session = fileSessions(folder).open("a");
    await session.append(0, begin);
    const earlier = readFileSync(show(folder), "utf8");
    await session.append(1, pass);
    const text = readFileSync(show(folder), "utf8");
    writeFileSync(show(folder), earlier);
    expect((await session.look()).warnings).toEqual([]);
    expect(readFileSync(show(folder), "utf8")).toBe(text);
  });

  it("where it cannot be written the session goes on, and says so", async () => {
    const folder = area();
    mkdirSync(join(folder, ".waymark"), { recursive: true });
    writeFileSync(join(folder, ".waymark", "sessions"), "in the way");
    const { status, warnings } = await fileSessions(folder).open("a").append(0, begin);
    expect([status, warnings.join()]).toEqual(["recorded", expect.stringMatching(/could not be written/)]);
    rmSync(join(folder, ".waymark", "sessions"));
    await fileSessions(folder).open("a").look();
    expect(existsSync(show(folder))).toBe(true);
  });
});

it("a record that cannot be written does not count, and nothing is held for later", async () => {
  const folder = area();
  mkdirSync(join(folder, ".waymark", "journal"), { recursive: true });
  writeFileSync(join(folder, ".waymark", "journal", "sessions"), "in the way");
  const session = fileSessions(folder).open("a");
  const { status, warnings } = await session.append(0, begin);
  expect([status, warnings]).toEqual(["failed", ["Unable to save workflow state. Progress may not be preserved."]]);
  rmSync(join(folder, ".waymark", "journal", "sessions"));
  expect((await session.look()).seen).toBe(0);
  expect((await session.append(0, begin)).status).toBe("recorded");
});

describe("pinned definitions", () => {
  it("a copy is found by its name, and one that was changed is not", async () => {
    const folder = area();
    const pins = filePins([join(folder, "pinned")]);
    const pin = (await pins.keep("text")) ?? "";
    expect(await pins.find(pin)).toBe("text");
    writeFileSync(join(folder, "pinned", `${pin}.json`), "weaker");
    expect(await pins.find(pin)).toBeUndefined();
    expect(await pins.find("../../etc/passwd")).toBeUndefined();
  });

  it("where nothing can be written in the first place it is kept in the next", async () => {
    const folder = area();
    writeFileSync(join(folder, "blocked"), "");
    const pins = filePins([join(folder, "blocked"), join(folder, "pinned")]);
    const pin = (await pins.keep("text")) ?? "";
    expect(await pins.find(pin)).toBe("text");
    expect(await filePins([join(folder, "blocked")]).keep("text")).toBeUndefined();
  });
});
