import { posix, win32 } from "node:path";
import { expect, it } from "vitest";
import { liesIn } from "./lies-in.ts";

const rules: readonly (readonly [rule: string, folder: string, inner: string, lies: boolean])[] = [
  ["a folder lies in itself", "/work/area", "/work/area", true],
  ["a folder lies in itself, however it is ended", "/work/area/", "/work/area", true],
  ["what stands in a folder lies in it", "/work/area", "/work/area/docs/a.md", true],
  ["a file whose name begins with two dots lies where it stands", "/work/area", "/work/area/..x", true],
  ["so does one in a folder of such a name", "/work/area", "/work/area/..x/a.md", true],
  ["and one in a folder of three dots", "/work/area", "/work/area/.../a.md", true],
  ["the folder above lies outside", "/work/area", "/work", false],
  ["a sibling lies outside", "/work/area", "/work/other", false],
  ["a sibling whose name begins with the same letters lies outside", "/work/area", "/work/area-2/a.md", false],
  ["a sibling whose name begins with two dots lies outside", "/work/area", "/work/..x", false],
  ["what leads out of a folder again lies outside", "/work/area", "/work/area/../other", false],
  ["what leads out and back lies in it", "/work/area", "/work/other/../area/a.md", true],
  ["everything lies in the root", "/", "/work", true],
  ["a name of two dots and more lies in the root", "/", "/..x", true],
  ["the root lies in itself", "/", "/", true],
  ["the root lies in nothing else", "/work", "/", false],
];

it.each(rules)("%s: %s, %s", (_, folder, inner, lies) => {
  expect(liesIn(folder, inner, posix)).toBe(lies);
  expect(liesIn(`C:${folder.replaceAll("/", "\\")}`, `C:${inner.replaceAll("/", "\\")}`, win32)).toBe(lies);
});

it("on Windows another drive lies outside, and neither case nor the slash matters", () => {
  expect(liesIn("C:\\work", "D:\\work\\a.md", win32)).toBe(false);
  expect(liesIn("C:\\", "D:\\", win32)).toBe(false);
  expect(liesIn("C:\\work", "c:/Work/a.md", win32)).toBe(true);
});

it("paths are those of this system where nobody says otherwise", () => {
  expect(liesIn(import.meta.dirname, import.meta.filename)).toBe(true);
  expect(liesIn(import.meta.filename, import.meta.dirname)).toBe(false);
});
