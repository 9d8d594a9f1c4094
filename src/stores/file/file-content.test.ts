import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ContentKeeper } from "../../engine/ports.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";
import { fileContentKeeper } from "./content-keeper.ts";

const ref: StepRef = { workflow: "a/../b.c", pass: 2, step: "schöner Schritt", attempt: 3 };

function openArea() {
  const folder = mkdtempSync(join(tmpdir(), "waymark-content-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const area = join(folder, "area");
  mkdirSync(join(area, "docs"), { recursive: true });
  return { folder, area, keeper: fileContentKeeper(area), held: join(area, ".waymark", "held") };
}

async function hold(keeper: ContentKeeper, path: string, text = "text"): Promise<readonly ContentRecord[]> {
  const held = await keeper.hold(ref, [{ path, text }]);
  if ("refused" in held) throw new Error(JSON.stringify(held.refused));
  return held.records;
}

it("nothing is written through a link that leaves the project area", async () => {
  const { folder, area, keeper } = openArea();
  mkdirSync(join(folder, "outside"));
  writeFileSync(join(folder, "outside", "a.md"), "outside");
  symlinkSync(join(folder, "outside"), join(area, "out"));
  symlinkSync(join(folder, "area-but-longer"), join(area, "dangling"));
  symlinkSync(join(folder, "outside", "a.md"), join(area, "file.md"));
  symlinkSync("docs", join(area, "inside"));
  for (const path of ["out/a.md", "out/new.md", "out/deep/new.md", "dangling/a.md", "file.md"])
    expect(await keeper.hold(ref, [{ path, text: "" }])).toMatchObject({ refused: [{ path }] });
  expect(await keeper.hold(ref, [{ path: "out/a.md" }])).toMatchObject({ refused: [{ path: "out/a.md" }] });
  expect(await keeper.hold(ref, [{ path: "inside/a.md", text: "" }])).toHaveProperty("records");
  expect(readdirSync(join(folder, "outside"))).toEqual(["a.md"]);
});

it("a link inside the project area leads neither into a dot-folder nor to the files that are ours", async () => {
  const { area, keeper } = openArea();
  mkdirSync(join(area, ".waymark", "journal"), { recursive: true });
  writeFileSync(join(area, "activity_log.json"), "[]");
  symlinkSync(".waymark/journal", join(area, "own"));
  symlinkSync(".", join(area, "here"));
  linkSync(join(area, "activity_log.json"), join(area, "docs", "hard.md"));
  for (const path of ["own/story_bot.jsonl", "here/workflow_state.json", "here/.env", "docs/hard.md"])
    expect(await keeper.hold(ref, [{ path, text: "" }])).toMatchObject({ refused: [{ path }] });
});

it("a folder is no file, and a file no folder", async () => {
  const { area, keeper } = openArea();
  writeFileSync(join(area, "plain.md"), "");
  for (const path of ["docs", "plain.md/a.md", "plain.md/deep/a.md"])
    expect(await keeper.hold(ref, [{ path, text: "" }])).toMatchObject({ refused: [{ path }] });
});

it("one file reached by two paths is named twice", async () => {
  const { area, keeper } = openArea();
  symlinkSync("docs", join(area, "inside"));
  const items = ["docs/a.md", "inside/a.md"].map((path) => ({ path, text: "" }));
  expect(await keeper.hold(ref, items)).toMatchObject({ refused: [{ path: "inside/a.md" }] });
});

it("a link laid between holding and saving is not followed, and the text stays held", async () => {
  const { folder, area, keeper, held } = openArea();
  const records = await hold(keeper, "docs/a.md");
  rmSync(join(area, "docs"), { recursive: true });
  symlinkSync(folder, join(area, "docs"));
  expect(await keeper.save(ref, records)).toEqual([expect.stringContaining("Unable to save docs/a.md")]);
  expect(existsSync(join(folder, "a.md"))).toBe(false);
  expect(readdirSync(held)).toHaveLength(1);
  expect(await keeper.read(ref, records)).toEqual([{ path: "docs/a.md", text: "text" }]);
  rmSync(join(area, "docs"));
  expect(await keeper.saveLeftOvers(() => records)).toEqual([]);
  expect(readFileSync(join(area, "docs", "a.md"), "utf8")).toBe("text");
  expect(readdirSync(held)).toEqual([]);
});

it("what is held outlives the process, under any name", async () => {
  const { area, keeper, held } = openArea();
  const records = await hold(keeper, "docs/a.md");
  expect(readdirSync(held)).toEqual(["a%2F%2E%2E%2Fb%2Ec.2.sch%C3%B6ner%20Schritt.3"]);
  mkdirSync(join(held, "not.one.of.ours"));
  const asked: StepRef[] = [];
  await fileContentKeeper(area).saveLeftOvers((asking) => {
    asked.push(asking);
    return records;
  });
  expect(asked).toEqual([ref]);
  expect(readFileSync(join(area, "docs", "a.md"), "utf8")).toBe("text");
});

it("saving lets a text go at once, so that it is never saved again over later work", async () => {
  const { area, keeper, held } = openArea();
  const both = await keeper.hold(ref, [
    { path: "docs/a.md", text: "same" },
    { path: "docs/b.md", text: "same" },
    { path: "docs/c.md", text: "other" },
  ]);
  const records = "records" in both ? both.records : [];
  mkdirSync(join(area, "docs", "c.md"));
  expect(await keeper.save(ref, records)).toHaveLength(1);
  writeFileSync(join(area, "docs", "a.md"), "later work");
  rmSync(join(area, "docs", "c.md"), { recursive: true });
  expect(await keeper.saveLeftOvers(() => records)).toEqual([]);
  expect(["a", "b", "c"].map((name) => readFileSync(join(area, "docs", `${name}.md`), "utf8"))).toEqual([
    "later work",
    "same",
    "other",
  ]);
  expect(readdirSync(held)).toEqual([]);
});

it("a file that is replaced keeps its permissions", async () => {
  const { area, keeper } = openArea();
  writeFileSync(join(area, "run.sh"), "old");
  chmodSync(join(area, "run.sh"), 0o750);
  await keeper.save(ref, await hold(keeper, "run.sh", "new"));
  expect(statSync(join(area, "run.sh")).mode & 0o777).toBe(0o750);
});

it("what the disk does not take is held in memory, with a warning", async () => {
  const { area, keeper } = openArea();
  mkdirSync(join(area, ".waymark"));
  writeFileSync(join(area, ".waymark", "held"), "in the way");
  const held = await keeper.hold(ref, [{ path: "docs/a.md", text: "text" }]);
  expect(held).toMatchObject({ records: [{ path: "docs/a.md" }], warnings: [expect.stringContaining("docs/a.md")] });
  const records = "records" in held ? held.records : [];
  expect(await keeper.read(ref, records)).toEqual([{ path: "docs/a.md", text: "text" }]);
  expect(await keeper.save(ref, records)).toEqual([]);
  expect(readFileSync(join(area, "docs", "a.md"), "utf8")).toBe("text");
});

it("files that are gone, too long, or no longer inside are left out of what is read", async () => {
  const { folder, area, keeper } = openArea();
  writeFileSync(join(folder, "secret"), "secret");
  writeFileSync(join(area, "long.md"), "x".repeat(5 * 1024 * 1024 + 1));
  symlinkSync(join(folder, "secret"), join(area, "link.md"));
  const paths = ["gone.md", "long.md", "link.md", "../secret", ".waymark/x"];
  expect(
    await keeper.read(
      ref,
      paths.map((path) => ({ path, bytes: 0, sha256: "0".repeat(64) })),
    ),
  ).toEqual([]);
});

it("what could be held in memory only is refused where the settings are strict", async () => {
  const { area, held } = openArea();
  mkdirSync(join(area, ".waymark"));
  writeFileSync(held, "a file where the folder should be");
  const items = [{ path: "docs/a.md", text: "text" }];
  expect(await fileContentKeeper(area).hold(ref, items)).toMatchObject({
    warnings: [expect.stringContaining("memory")],
  });
  const refused = [{ path: "docs/a.md", reason: "it cannot be kept on disk now" }];
  expect(await fileContentKeeper(area, () => true).hold(ref, items)).toEqual({ refused });
});
