import fc from "fast-check";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import { wholeOr } from "../../../test/whole.ts";
import { compileGlob } from "./glob.ts";

function matches(glob: string, path: string): boolean | undefined {
  const compiled = compileGlob(glob);
  return "unusable" in compiled ? undefined : compiled(path);
}

test("a glob without a slash means the file's name, in any folder", () => {
  expect(matches("*.md", "a.md")).toBe(true);
  expect(matches("*.md", "docs/deep/a.md")).toBe(true);
  expect(matches("story.md", "docs/story.md")).toBe(true);
  expect(matches("docs/*.md", "docs/deep/a.md")).toBe(false);
});

test("hidden folders and files match only where the glob names them", () => {
  expect(matches("**/*.md", ".git/a.md")).toBe(false);
  expect(matches("*", "docs/.hidden")).toBe(false);
  expect(matches(".github/**", ".github/a.md")).toBe(true);
});

test("a glob matches what the usual matchers match", () => {
  const part = fc.constantFrom("a", "b.md", "*", "?", "**", "a*", "*.md", "{a,b.md}", "[ab]*", "docs");
  const glob = fc.array(part, { minLength: 2, maxLength: 4 }).map((parts) => parts.join("/"));
  const path = fc
    .array(fc.constantFrom("a", "b.md", "ab", "x", "docs", "c.md"), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join("/"));
  fc.assert(
    fc.property(glob, path, (some, other) => {
      // A trailing ** also matches the bare folder there; our paths are files, so the two agree on all the rest.
      fc.pre(!some.endsWith("/**"));
      expect(matches(some, other)).toBe(picomatch(some)(other));
    }),
    { numRuns: wholeOr(1_000, 250) },
  );
});

test("no glob takes long, however many stars it has: one that tries every way would never end", () => {
  expect(matches(`${"*a".repeat(90)}*b`, "a".repeat(1_000))).toBe(false);
});
