import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Content, ContentItem } from "../../engine/ports/content.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { fileContent } from "./file-content.ts";

const bot: StreamId = { kind: "bot", name: "story_bot" };
const ref: StepRef = { workflow: "a/../b.c", pass: 2, step: "schöner Schritt", attempt: 3 };

function openArea() {
  const folder = mkdtempSync(join(tmpdir(), "waymark-content-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const area = join(folder, "area");
  mkdirSync(join(area, "docs"), { recursive: true });
  return { folder, area, content: fileContent(area), held: join(area, ".waymark", "held") };
}

async function hold(content: Content, path: string, text = "text"): Promise<readonly ContentRecord[]> {
  const held = await content.hold(bot, ref, [{ path, text }]);
  if (!("records" in held)) throw new Error(JSON.stringify(held));
  return held.records;
}

it("an absolute path inside the project area is named as it stands there, by the area's real path too", () => {
  const { folder, area, content } = openArea();
  expect(content.normalizePath(join(area, "docs/a.md"))).toBe("docs/a.md");
  expect(content.normalizePath(join(folder, "outside.md"))).toBe(join(folder, "outside.md"));
  symlinkSync(area, join(folder, "linked"));
  const linked = fileContent(join(folder, "linked"));
  expect(linked.normalizePath(join(folder, "linked", "docs/a.md"))).toBe("docs/a.md");
  expect(linked.normalizePath(join(realpathSync(area), "docs/a.md"))).toBe("docs/a.md");
});

it.each([".git", ".waymark/journal", ".WAYMARK", "node_modules/pkg"])(
  "a work tree that lies in %s of the project takes no file",
  async (folder) => {
    const { area } = openArea();
    const tree = join(area, folder);
    mkdirSync(tree, { recursive: true });
    const content = fileContent(tree, { historyArea: area });
    expect(await content.hold(bot, ref, [{ path: "a.md", text: "" }])).toMatchObject({ refused: [{}] });
    const below = fileContent(join(tree, "docs"), { historyArea: join(area, "docs") });
    mkdirSync(join(tree, "docs"));
    expect(await below.hold(bot, ref, [{ path: "a.md", text: "" }])).toMatchObject({ refused: [{}] });
  },
);

it("a work tree that lies in what is guarded takes no file, though the project may lie there", async () => {
  const { area } = openArea();
  mkdirSync(join(area, "server", "dist"), { recursive: true });
  const guarded = [{ folder: join(area, "server"), parts: ["package.json"] }];
  const tree = fileContent(join(area, "server", "dist"), { historyArea: area, guarded });
  expect(await tree.hold(bot, ref, [{ path: "a.js", text: "" }])).toMatchObject({ refused: [{}] });
  const own = fileContent(join(area, "server"), { guarded });
  expect(await own.hold(bot, ref, [{ path: "a.js", text: "" }])).toMatchObject({ records: [{}] });
});

it("nothing is written through a link that leaves the project area", async () => {
  const { folder, area, content } = openArea();
  mkdirSync(join(folder, "outside"));
  writeFileSync(join(folder, "outside", "a.md"), "outside");
  symlinkSync(join(folder, "outside"), join(area, "out"));
  symlinkSync(join(folder, "area-but-longer"), join(area, "dangling"));
  symlinkSync(join(folder, "outside", "a.md"), join(area, "file.md"));
  symlinkSync("docs", join(area, "inside"));
  for (const path of ["out/a.md", "out/new.md", "out/deep/new.md", "dangling/a.md", "file.md"])
    expect(await content.hold(bot, ref, [{ path, text: "" }])).toMatchObject({ refused: [{ path }] });
  expect(await content.hold(bot, ref, [{ path: "out/a.md" }])).toMatchObject({
    refused: [{ path: "out/a.md" }],
  });
  expect(await content.hold(bot, ref, [{ path: "inside/a.md", text: "" }])).toHaveProperty("records");
  expect(readdirSync(join(folder, "outside"))).toEqual(["a.md"]);
});

it("a link inside the project area leads neither into a dot-folder nor to the files that are ours", async () => {
  const { area, content } = openArea();
  mkdirSync(join(area, ".waymark", "journal"), { recursive: true });
  writeFileSync(join(area, "activity_log.json"), "[]");
  symlinkSync(".waymark/journal", join(area, "own"));
  symlinkSync(".", join(area, "here"));
  linkSync(join(area, "activity_log.json"), join(area, "docs", "hard.md"));
  for (const path of ["own/story_bot.jsonl", "here/workflow_state.json", "here/.env", "docs/hard.md"])
    expect(await content.hold(bot, ref, [{ path, text: "" }])).toMatchObject({ refused: [{ path }] });
});

it("a folder is no file, and a file no folder", async () => {
  const { area, content } = openArea();
  writeFileSync(join(area, "plain.md"), "");
  for (const path of ["docs", "plain.md/a.md", "plain.md/deep/a.md"])
    expect(await content.hold(bot, ref, [{ path, text: "" }])).toMatchObject({ refused: [{ path }] });
});

it("one file reached by two paths is named twice", async () => {
  const { area, content } = openArea();
  symlinkSync("docs", join(area, "inside"));
  const items = ["docs/a.md", "inside/a.md"].map((path) => ({ path, text: "" }));
  expect(await content.hold(bot, ref, items)).toMatchObject({ refused: [{ path: "inside/a.md" }] });
});

it("a link laid between holding and saving is not followed, and the text stays held", async () => {
  const { folder, area, content, held } = openArea();
  const records = await hold(content, "docs/a.md");
  rmSync(join(area, "docs"), { recursive: true });
  symlinkSync(folder, join(area, "docs"));
  expect(await content.save(bot, ref, records)).toEqual([expect.stringContaining("Unable to save docs/a.md")]);
  expect(existsSync(join(folder, "a.md"))).toBe(false);
  expect(readdirSync(held)).toHaveLength(1);
  expect(await content.read(bot, ref, records)).toEqual([{ path: "docs/a.md", isNew: false, text: "text" }]);
  rmSync(join(area, "docs"));
  expect(await content.saveLeftOvers(bot, async () => records)).toEqual([]);
  expect(readFileSync(join(area, "docs", "a.md"), "utf8")).toBe("text");
  expect(readdirSync(held)).toEqual([]);
});

it("what is held outlives the process, under any name", async () => {
  const { area, content, held } = openArea();
  const records = await hold(content, "docs/a.md");
  expect(readdirSync(held)).toEqual(["a%2F%2E%2E%2Fb%2Ec.2.sch%C3%B6ner%20Schritt.3"]);
  mkdirSync(join(held, "not.one.of.ours"));
  const asked: StepRef[] = [];
  await fileContent(area).saveLeftOvers(bot, async (asking) => {
    asked.push(asking);
    return records;
  });
  expect(asked).toEqual([ref]);
  expect(readFileSync(join(area, "docs", "a.md"), "utf8")).toBe("text");
});

it("saving lets a text go at once, so that it is never saved again over later work", async () => {
  const { area, content, held } = openArea();
  const both = await content.hold(bot, ref, [
    { path: "docs/a.md", text: "same" },
    { path: "docs/b.md", text: "same" },
    { path: "docs/c.md", text: "other" },
  ]);
  const records = "records" in both ? both.records : [];
  mkdirSync(join(area, "docs", "c.md"));
  expect(await content.save(bot, ref, records)).toHaveLength(1);
  writeFileSync(join(area, "docs", "a.md"), "later work");
  rmSync(join(area, "docs", "c.md"), { recursive: true });
  expect(await content.saveLeftOvers(bot, async () => records)).toEqual([]);
  expect(["a", "b", "c"].map((name) => readFileSync(join(area, "docs", `${name}.md`), "utf8"))).toEqual([
    "later work",
    "same",
    "other",
  ]);
  expect(readdirSync(held)).toEqual([]);
});

it("a file that is replaced keeps its permissions", async () => {
  const { area, content } = openArea();
  writeFileSync(join(area, "run.sh"), "old");
  chmodSync(join(area, "run.sh"), 0o750);
  await content.save(bot, ref, await hold(content, "run.sh", "new"));
  expect(statSync(join(area, "run.sh")).mode & 0o777).toBe(0o750);
});

it("files on record that are gone, too long, links, or no longer inside are answered for in words", async () => {
  const { folder, area, content } = openArea();
  writeFileSync(join(folder, "secret"), "secret");
  writeFileSync(join(area, "long.md"), "x".repeat(5 * 1024 * 1024 + 1));
  symlinkSync(join(folder, "secret"), join(area, "link.md"));
  mkdirSync(join(area, "folder.md"));
  const problems = {
    "gone.md": "it no longer exists",
    "long.md": "it is larger than 5 MB",
    "link.md": "it is a link",
    "folder.md": "it is a folder",
    "../secret": 'it contains ".."',
    ".waymark/x": "it names a dotfile or a dot-folder",
  };
  const records = Object.keys(problems).map((path) => ({ path, bytes: 0, sha256: "0".repeat(64) }));
  expect(await content.read(bot, ref, records)).toEqual(
    Object.entries(problems).map(([path, problem]) => ({ path, isNew: path === "gone.md", problem })),
  );
});

it("content that the disk does not take is not held at all", async () => {
  const { area, content, held } = openArea();
  mkdirSync(join(area, ".waymark"));
  writeFileSync(held, "a file where the folder should be");
  const items: readonly ContentItem[] = [{ path: "docs/a.md", text: "text" }];
  expect(await content.hold(bot, ref, items)).toEqual({ unstored: ["docs/a.md"] });
  rmSync(held);
  expect(await content.hold(bot, ref, items)).toMatchObject({ records: [{ path: "docs/a.md" }] });
  expect(existsSync(join(area, "docs", "a.md"))).toBe(false);
});

it("a session's texts are held in a folder of its own", async () => {
  const { area, content, held } = openArea();
  const session: StreamId = { kind: "session", name: "survey/1" };
  const kept = await content.hold(session, ref, [{ path: "docs/a.md", text: "text" }]);
  expect(readdirSync(held)).toEqual(["sessions"]);
  expect(readdirSync(join(held, "sessions"))).toEqual(["survey%2F1"]);
  expect(await fileContent(area).saveLeftOvers(bot, async () => [])).toEqual([]);
  const records = "records" in kept ? kept.records : [];
  expect(await fileContent(area).saveLeftOvers(session, async () => records)).toEqual([]);
  expect(readFileSync(join(area, "docs", "a.md"), "utf8")).toBe("text");
  expect(readdirSync(join(held, "sessions"))).toEqual([]);
});

it("what a session of old held where bots do is saved all the same, and nothing of anybody else's is let go", async () => {
  const { area, content, held } = openArea();
  const session: StreamId = { kind: "session", name: "survey-1" };
  const [mine, other] = [await hold(content, "docs/a.md", "mine"), await hold(content, "docs/b.md", "other")];
  expect(await content.saveLeftOvers(session, async () => mine)).toEqual([]);
  expect(readFileSync(join(area, "docs", "a.md"), "utf8")).toBe("mine");
  expect(await content.read(bot, ref, other)).toEqual([{ path: "docs/b.md", isNew: true, text: "other" }]);
  expect(await content.saveLeftOvers(session, async () => other)).toEqual([]);
  expect(readdirSync(held)).toEqual([]);
});

it("a readable record takes nobody's place, also where a file came to stand there after a crash", async () => {
  const { area, content, held } = openArea();
  const holding = await content.hold(bot, ref, [{ path: "docs/a.md", text: "record", readable: true }]);
  const records = "records" in holding ? holding.records : [];
  expect(records).toMatchObject([{ path: "docs/a.md", readable: true }]);
  writeFileSync(join(area, "docs", "a.md"), "mine");
  expect(await fileContent(area).saveLeftOvers(bot, async () => records)).toEqual([
    expect.stringContaining("docs/a.md is not Waymark's file"),
  ]);
  expect(readFileSync(join(area, "docs", "a.md"), "utf8")).toBe("mine");
  expect(readdirSync(held)).toEqual([]);
});
