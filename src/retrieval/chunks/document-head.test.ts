import { expect, it } from "vitest";
import { parseDocument } from "./document.ts";
import { frontMatterOf } from "./document-head.ts";

it("the head gives title, tags, questions, workflow and phase", () => {
  const text =
    "---\ntitle: Naming\ntags: [Style, code]\nquestions:\n  - What, if any, is a name?\nworkflow: review\nphase: 2\n---\nText.";
  const head = frontMatterOf(text);
  expect(head.title).toBe("Naming");
  expect(head.tags).toEqual(["style", "code"]);
  expect(head.questions).toEqual(["What, if any, is a name?"]);
  expect(head.belongs).toEqual({ kind: "owned", workflow: "review", phases: [2] });
  expect(text.slice(head.end)).toBe("Text.");
});

it("other text in the front matter is still found", () => {
  expect(frontMatterOf("---\ndescription: All about gates\nkeywords: [lock, key]\n---\n").rest).toBe(
    "All about gates\nlock\nkey",
  );
});

it("without a title in the head the first heading is the title", () => {
  expect(parseDocument("---\ntags: a, b\n---\n\n# The **big** `one`\n").title).toBe("The big one");
});

it.each([
  ["phase: 2", { kind: "owned", workflow: undefined, phases: [2] }],
  ["phase: Phase 3", { kind: "owned", workflow: undefined, phases: [3] }],
  ["workflow: w\nphases: [1, 2]", { kind: "owned", workflow: "w", phases: [1, 2] }],
  ["workflow: w", { kind: "owned", workflow: "w", phases: [] }],
  ["Workflow: w", { kind: "owned", workflow: "w", phases: [] }],
  ["title: x", { kind: "open" }],
])("%s says whose the document is", (head, belongs) => {
  expect(frontMatterOf(`---\n${head}\n---\nText.`).belongs).toEqual(belongs);
});

// Attack (tools): Have a standard of a later phase shown, whose owner is written through a YAML merge key or alias
// -> Refused: it is shown to no one until its owner can be read
it.each([
  "phase: soon",
  "phase:",
  "phase: -1",
  "phase: 1.5",
  "phase: {a: 1}",
  "workflow:",
  "workflow: [a, b]",
  "workflow: w\nphase: [1, x]",
  "workflow: w\nphase: 1\nphase: 2",
  "title: a: b\nphase: 2",
  "{ title: a: b, phase: 2 }",
  "workflow: &a [*a]",
  "<<: {workflow: w, phase: 3}",
  "'<<': {phase: 3}",
  "<<:\n  - {workflow: w}\n  - {phase: 3}",
  "base: &base {workflow: w, phase: 3}\n<<: *base",
  "base: &base {workflow: w}\ntitle: x\n? <<\n: *base",
])("a head that names an owner and cannot be understood closes the document: %s", (head) => {
  expect(frontMatterOf(`---\n${head}\n---\nText.`).belongs.kind).toBe("unclear");
});

it.each(["---\nphase: 2\n\n# Text", "\n\n---\nworkflow: w\n---\nText", "\uFEFF---\nphase: 2\n---\n"])(
  "an owner counts even where the head is untidy: %j",
  (text) => {
    expect(frontMatterOf(text).belongs.kind).not.toBe("open");
  },
);

it.each(["---\n\n# Title\n\n---\n\nText.", "---\nJust a line.\n---\nText.", "# A\n\n---\nphase: 2\n---\n"])(
  "a rule is no head: %j",
  (text) => {
    const head = frontMatterOf(text);
    expect(head.belongs.kind).toBe("open");
    expect(head.end).toBe(0);
  },
);

it("a broken head without an owner is named and never part of the text", () => {
  const text = "---\ntitle: a: b\n---\n# T\n";
  const head = frontMatterOf(text);
  expect([head.belongs.kind, text.slice(head.end), head.endLine]).toEqual(["open", "# T\n", 4]);
  expect(head.problem).toBe("its front matter cannot be read");
});

it("a byte order mark is no part of the first heading", () => {
  expect(frontMatterOf("\uFEFF# Title\n").end).toBe(1);
});
