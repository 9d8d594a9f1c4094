import { posix, win32 } from "node:path";
import { expect, it } from "vitest";
import { isPathInside } from "./is-path-inside.ts";

const rules: readonly (readonly [rule: string, folder: string, inner: string, lies: boolean])[] = [
  ["a folder lies in itself", "/srv/area", "/srv/area", true],
  ["a folder lies in itself, however it is ended", "/srv/area/", "/srv/area", true],
  ["what stands in a folder lies in it", "/srv/area", "/srv/area/docs/a.md", true],
  ["a file whose name begins with two dots lies where it stands", "/srv/area", "/srv/area/..x", true],
  ["so does one in a folder of such a name", "/srv/area", "/srv/area/..x/a.md", true],
  ["and one in a folder of three dots", "/srv/area", "/srv/area/.../a.md", true],
  ["the folder above lies outside", "/srv/area", "/srv", false],
  ["a sibling lies outside", "/srv/area", "/srv/other", false],
  ["a sibling whose name begins with the same letters lies outside", "/srv/area", "/srv/area-2/a.md", false],
  ["a sibling whose name begins with two dots lies outside", "/srv/area", "/srv/..x", false],
  ["what leads out of a folder again lies outside", "/srv/area", "/srv/area/../other", false],
  ["what leads out and back lies in it", "/srv/area", "/srv/other/../area/a.md", true],
  ["everything lies in the root", "/", "/srv", true],
  ["a name of two dots and more lies in the root", "/", "/..x", true],
  ["the root lies in itself", "/", "/", true],
  ["the root lies in nothing else", "/srv", "/", false],
];

it.each(rules)("%s: %s, %s", (_, folder, inner, lies) => {
  expect(isPathInside(folder, inner, posix)).toBe(lies);
  expect(isPathInside(`C:${folder.replaceAll("/", "\\")}`, `C:${inner.replaceAll("/", "\\")}`, win32)).toBe(lies);
});

it("on Windows another drive lies outside, and neither case nor the slash matters", () => {
  expect(isPathInside("C:\\work", "D:\\work\\a.md", win32)).toBe(false);
  expect(isPathInside("C:\\", "D:\\", win32)).toBe(false);
  expect(isPathInside("C:\\work", "c:/Work/a.md", win32)).toBe(true);
});

it("paths are those of this system where nobody says otherwise", () => {
  expect(isPathInside(import.meta.dirname, import.meta.filename)).toBe(true);
  expect(isPathInside(import.meta.filename, import.meta.dirname)).toBe(false);
});
