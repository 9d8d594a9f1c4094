import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { markFile } from "../kit/generated-mark.ts";
import { zipBundle } from "./bundle.ts";
import { textFile, writeFiles } from "./files.ts";
import { folderWith } from "./folder.testing.ts";
import { markOf, readMark } from "./generation-mark.ts";
import { moveIntoPlace } from "./move-into-place.ts";
import { checkPackageFolder } from "./package-folder.ts";

const files = (texts: Record<string, string>) =>
  new Map(Object.entries(texts).map(([path, text]) => [path, textFile(text)]));

/** A folder as an earlier generation left it. */
function generatedFolder(texts: Record<string, string>): string {
  const folder = folderWith();
  writeFiles(folder, new Map([...files(texts), [markFile, markOf("a_bot", "0.1.0", files(texts))]]));
  return folder;
}

const look = (out: string) => checkPackageFolder({ out, bot: "a_bot", sources: [], force: false });

function placeAt(out: string) {
  const place = look(out);
  if ("refused" in place) throw new Error(place.refused);
  return place;
}

test("new files replace the old ones, those that are gone are removed, and others stay", () => {
  const folder = generatedFolder({
    "server.js": "old",
    "old.mcpb": "old",
    "definitions/a.md": "old",
    "definitions/gone.md": "",
  });
  writeFileSync(join(folder, "LICENSE"), "mine");
  const work = folderWith({ "new/server.js": "new", "new/new.mcpb": "new", "new/definitions/a.md": "new" });
  moveIntoPlace(join(work, "new"), join(work, "old"), ["server.js", "new.mcpb", "definitions/a.md"], placeAt(folder));
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
    markFile,
    "LICENSE",
    "definitions",
    "definitions/a.md",
    "new.mcpb",
    "server.js",
  ]);
  expect(readFileSync(join(folder, "definitions/a.md"), "utf8")).toBe("new");
});

test("a replacement that fails half way leaves everything as it was", () => {
  const folder = generatedFolder({ "definitions/a.md": "old", "runtime/b.js": "old" });
  const work = folderWith({ "new/definitions/a.md": "new", "new/runtime/b.js": "new" });
  // No folder can be moved into itself: the second move fails.
  const aside = join(folder, "runtime/aside");
  const entries = ["definitions/a.md", "runtime/b.js"];
  expect(() => moveIntoPlace(join(work, "new"), aside, entries, placeAt(folder))).toThrow("EINVAL");
  for (const entry of entries) expect(readFileSync(join(folder, entry), "utf8")).toBe("old");
  expect(existsSync(aside)).toBe(false);
});

test("a mark counts only for files where a package has files: a forged one cannot name others", () => {
  const hash = "0".repeat(64);
  const forged = {
    bot: "a_bot",
    files: {
      "../../x": hash,
      "/etc/x": hash,
      ".git/config": hash,
      "definitions/../../x": hash,
      "server.js": hash,
      "runtime/a.js": hash,
    },
  };
  const folder = folderWith({ [markFile]: JSON.stringify(forged) });
  expect([...(readMark(folder)?.files.keys() ?? [])]).toEqual(["server.js", "runtime/a.js"]);
  for (const text of ["", "[]", '{"bot":1,"files":{}}', "{"]) {
    expect(readMark(folderWith({ [markFile]: text }))).toBeUndefined();
  }
});

test("changed and added files are named; deleted ones are written again", () => {
  const folder = generatedFolder({
    "README.md": "old",
    "server.js": "old",
    "package.json": "{}",
    "definitions/a.md": "old",
  });
  expect(look(folder)).toMatchObject({ exists: true, kept: {} });
  writeFileSync(join(folder, "package.json"), '{"version":"2.0.0"}');
  expect(look(folder)).toMatchObject({ kept: { version: "2.0.0" } });
  writeFileSync(join(folder, "README.md"), "changed");
  writeFileSync(join(folder, "definitions/b.md"), "added");
  expect(look(folder)).toMatchObject({ refused: expect.stringContaining("README.md, definitions/b.md") });
  writeFileSync(join(folder, "package.json"), "{");
  expect(look(folder)).toMatchObject({ refused: expect.stringContaining("package.json") });
});

test("a file cannot be the folder", () => {
  expect(look(join(folderWith({ out: "" }), "out"))).toMatchObject({ refused: expect.stringContaining("is a file") });
});

test("a bundle has the same bytes in every time zone, whatever order its files came in", () => {
  const zone = process.env.TZ;
  try {
    process.env.TZ = "Pacific/Auckland";
    const far = zipBundle(files({ "b.md": "2", "server.js": "1" }));
    process.env.TZ = "America/Los_Angeles";
    expect(zipBundle(files({ "server.js": "1", "b.md": "2" }))).toEqual(far);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});
