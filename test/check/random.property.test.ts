import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { engineSurroundings } from "../../src/app/check-project.ts";
import { filesOf } from "../../src/definitions/snapshot/files-of.testing.ts";
import { isObject, type Json } from "../../src/kit/json.ts";
import { fixDefinitions } from "../../src/lint/fix-definitions.ts";
import { wholeOr } from "../whole.ts";
import { findingsIn, textOf, writeIn } from "./broken-bot.ts";
import { closedIn, engineView, isReported } from "./engine-view.ts";
import { soundBot } from "./sound-bot.ts";

const paths = Object.keys(soundBot);
let definitions = "";

beforeAll(() => {
  definitions = join(mkdtempSync(join(tmpdir(), "waymark-check-")), ".waymark");
  for (const path of paths) restore(path);
});
afterAll(() => rmSync(dirname(definitions), { recursive: true, force: true }));

function restore(path: string): void {
  writeIn(definitions, path, textOf(soundBot[path] ?? ""));
}

/** The sound file with a value somewhere in it replaced by another, or left out. */
const mutated = (path: string): fc.Arbitrary<string> =>
  fc.tuple(fc.nat(20), fc.option(fc.jsonValue({ maxDepth: 2 }), { freq: 2 })).map(([at, value]) => {
    const sound = soundBot[path] ?? "";
    const document: Json = typeof sound === "object" ? JSON.parse(textOf(sound)) : sound;
    let count = at;
    const replace = (here: Json): Json | undefined => {
      if (count-- === 0) return value === null ? undefined : JSON.parse(JSON.stringify(value));
      if (Array.isArray(here)) return here.flatMap((part: Json) => replace(part) ?? []);
      if (!isObject(here)) return here;
      return Object.fromEntries(
        Object.entries(here).flatMap(([key, part]) => {
          const replaced = replace(part);
          return replaced === undefined ? [] : [[key, replaced]];
        }),
      );
    };
    return `${JSON.stringify(replace(document), null, 2)}\n`;
  });

const words = fc.constantFrom(
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  '"',
  "\n",
  "name",
  "{{x}}",
  "{{rules}}",
  "TODO:",
  "null",
  "- ",
  "# ",
  " ",
  "a",
  "\u0000",
  "../",
  "checks",
  "(a+)+",
);
const change = fc.constantFrom(...paths).chain((path) =>
  fc.record({
    path: fc.constant(path),
    text: fc.oneof(
      mutated(path),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.string({ unit: "binary" }),
      fc.array(words, { maxLength: 40 }).map((parts) => parts.join("")),
    ),
  }),
);

test("whatever stands in the files, check ends with findings, and what the engine closes is an error", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      for (const { path, text } of changes) writeIn(definitions, path, text);
      const findings = await findingsIn(definitions);
      for (const { line, message, fix } of findings) {
        expect(line).toBeGreaterThan(0);
        expect(message.trim() === "" || fix.trim() === "").toBe(false);
      }
      expect(closedIn(definitions).filter((problem) => !isReported(problem, findings))).toEqual([]);
      for (const { path } of changes) restore(path);
    }),
    { numRuns: wholeOr(80, 25) },
  );
});

test("whatever is mended, the engine does the same as before, and nothing is mended twice", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      for (const { path, text } of changes) writeIn(definitions, path, text);
      const surroundings = await engineSurroundings(filesOf(definitions), dirname(definitions));
      const before = engineView(definitions);
      const mended = await fixDefinitions(filesOf(definitions), surroundings);
      expect(mended.filter(({ refused }) => refused !== undefined)).toEqual([]);
      expect(engineView(definitions)).toEqual(before);
      expect(await fixDefinitions(filesOf(definitions), surroundings)).toEqual([]);
      for (const { path } of changes) restore(path);
    }),
    { numRuns: wholeOr(50, 12) },
  );
});
