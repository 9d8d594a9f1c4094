import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drawRooms } from "../../scripts/draw-rooms.mjs";
import { mapOfRooms, roomOf, rooms } from "../../scripts/rooms.mjs";

const home = join(import.meta.dirname, "../..");
const files = readdirSync(join(home, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(join(home, "src/").length).replaceAll("\\", "/"));

test("nothing but index.ts and version.ts is loose in src/", () => {
  expect(files.filter((file) => roomOf(file) === undefined).sort()).toEqual(["index.ts", "version.ts"]);
});

test("every room of the table has files, and every folder of src/ is a room of the table", () => {
  const withFiles = new Set(files.map(roomOf));
  expect(Object.keys(rooms).filter((room) => !withFiles.has(room))).toEqual([]);
  const folders = readdirSync(join(home, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const known = new Set(Object.keys(rooms).map((room) => room.split("/")[0]));
  expect(folders.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
});

test("ARCHITECTURE.md has the map that the import rules are made of", () => {
  expect(readFileSync(join(home, "ARCHITECTURE.md"), "utf8")).toContain(mapOfRooms());
});

test("the picture of the rooms is the one that the table draws (npm run rooms)", () => {
  expect(readFileSync(join(home, "docs/pictures/rooms.svg"), "utf8")).toBe(drawRooms());
});

test("ARCHITECTURE.md has at most 1,500 words", () => {
  const words = readFileSync(join(home, "ARCHITECTURE.md"), "utf8")
    .split(/\s+/)
    .filter((word) => /\w/.test(word));
  expect(words.length).toBeLessThanOrEqual(1500);
});

test("every file that ARCHITECTURE.md names exists", () => {
  const named = readFileSync(join(home, "ARCHITECTURE.md"), "utf8").matchAll(
    /`([\w./-]+\/[\w.-]+\.(?:ts|mjs|md|json|svg))`/g,
  );
  const missing = [...named]
    .map(([, path = ""]) => path)
    .filter((path) => ![path, `src/${path}`].some((one) => existsSync(join(home, one))));
  expect(missing).toEqual([]);
});

test("no two files of src/ have the same name", () => {
  const names = files.filter((file) => /\.tsx?$/.test(file)).map((file) => file.split("/").at(-1) ?? "");
  expect(names.filter((name, at) => name !== "index.ts" && names.indexOf(name) !== at)).toEqual([]);
});
