import fc from "fast-check";
import { expect, it } from "vitest";
import { parseDocument } from "../chunks/document.ts";
import { termReader } from "../text/terms.ts";
import { dictionary } from "./dictionary.ts";
import { recordOf } from "./document-record.ts";

const part = fc.constantFrom("# Title\n\n", "# Other\n\n", "## Part\n\n", "gate step\n\n", "gate\n\n", "phase run\n\n");
const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));

it("a changed document has the same record, whether its old chunks were copied or counted again", async () => {
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const analysis = { words: dictionary(), eachTerm: termReader(), breathe: () => undefined };
      const old = await recordOf("a.md", "1", parseDocument(before), analysis);
      const copied = await recordOf("a.md", "2", parseDocument(after), analysis, old);
      const again = await recordOf("a.md", "2", parseDocument(after), analysis);
      expect({ ...copied, sections: copied.sections() }).toEqual({ ...again, sections: again.sections() });
    }),
  );
});

it("only what has changed is read again", async () => {
  const read: string[] = [];
  const eachTerm = (text: string) => read.push(text);
  const analysis = { words: dictionary(), eachTerm, breathe: () => undefined };
  const old = await recordOf("a.md", "1", parseDocument("# T\n\nOne.\n\n## A\n\nTwo.\n"), analysis);
  read.length = 0;
  await recordOf("a.md", "2", parseDocument("# T\n\nOne.\n\n## A\n\nTwo.\n\n## B\n\nNew.\n"), analysis, old);
  expect(read.join()).toContain("New.");
  expect(read.join()).not.toContain("One.");
});
