import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { createHash } from "node:crypto";
import type { Content, ContentItem } from "../engine/ports/content.ts";
import type { ContentRecord, StepRef } from "../workflow/events.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import { type ContractRule, type Disposable, forEveryStream, type StreamCheck } from "./contract-rule.ts";

/** A fresh project area with its content; `file` and `write` access its files directly. */
export type OpenedContent = Disposable & {
  readonly content: Content;
  file(path: string): Promise<string | undefined> | string | undefined;
  write(path: string, text: string): Promise<void> | void;
};

/** The rules that every content store must keep. */
export function contentContract(): readonly ContractRule<OpenedContent>[] {
  return forEveryStream(rules);
}

const ref: StepRef = { workflow: "discovery", pass: 1, step: "build_knowledge", attempt: 1 };

const rules: readonly StreamCheck<OpenedContent>[] = [
  [
    "a submitted text is saved as a file only once its step counts",
    async ({ content, file }, id) => {
      const records = await hold(content, id, [{ path: "docs/story map.md", text: "# Größe" }]);
      deepStrictEqual(records, [{ path: "docs/story map.md", bytes: 9, sha256: digest("# Größe") }]);
      strictEqual(await file("docs/story map.md"), undefined);
      const read = { path: "docs/story map.md", isNew: true, text: "# Größe" };
      deepStrictEqual(await content.read(id, ref, records), [read]);
      deepStrictEqual(await content.save(id, ref, records), []);
      strictEqual(await file("docs/story map.md"), "# Größe");
      deepStrictEqual(await content.read(id, ref, records), [{ ...read, isNew: false }]);
    },
  ],
  [
    "the last submission for a path is the one that is saved",
    async ({ content, file }, id) => {
      await hold(content, id, [{ path: "a.md", text: "first" }]);
      const records = await hold(content, id, [{ path: "a.md", text: "second" }]);
      await content.save(id, ref, records);
      strictEqual(await file("a.md"), "second");
    },
  ],
  [
    "an interrupted save is finished later, for completed steps only",
    async ({ content, file }, id) => {
      const records = await hold(content, id, [{ path: "a.md", text: "a" }]);
      deepStrictEqual(await content.saveLeftOvers(id, async () => undefined), []);
      strictEqual(await file("a.md"), undefined);
      const asked: StepRef[] = [];
      const finish = async (asking: StepRef): Promise<readonly ContentRecord[]> => {
        asked.push(asking);
        return records;
      };
      deepStrictEqual(await content.saveLeftOvers(id, finish), []);
      deepStrictEqual(asked, [ref]);
      strictEqual(await file("a.md"), "a");
    },
  ],
  [
    "an existing file is recorded by size and hash, and not changed",
    async ({ content, file, write }, id) => {
      await write("notes.md", "notes");
      const records = await hold(content, id, [{ path: "notes.md" }]);
      deepStrictEqual(records, [{ path: "notes.md", bytes: 5, sha256: digest("notes") }]);
      await write("notes.md", "changed since");
      deepStrictEqual(await content.save(id, ref, records), []);
      strictEqual(await file("notes.md"), "changed since");
    },
  ],
  [
    "every spelling of a path has one name, and paths outside stay outside",
    async ({ content }) => {
      for (const written of ["docs/a.md", "./docs/a.md", "docs//a.md", "docs/./a.md", "docs/a.md/", "x/../docs/a.md"])
        strictEqual(content.normalizePath(written), "docs/a.md");
      for (const written of ["../a.md", "docs/../../a.md", "/etc/passwd"])
        ok(/^(\.\.\/|\/)/.test(content.normalizePath(written)), written);
    },
  ],
  [
    "a path that is not a plain file inside the project area is refused, and nothing of the call is kept",
    async ({ content }, id) => {
      for (const path of badPaths) {
        const held = await content.hold(id, ref, [
          { path: "good.md", text: "good" },
          { path, text: "bad" },
        ]);
        ok("refused" in held, `${JSON.stringify(path)} was taken`);
        deepStrictEqual(
          held.refused.map((refusal) => refusal.path),
          [path],
        );
        ok(held.refused.every(({ reason }) => reason !== ""));
      }
      const good = { path: "good.md", bytes: 4, sha256: digest("good") };
      const [read] = await content.read(id, ref, [good]);
      ok(read !== undefined && "problem" in read);
    },
  ],
  [
    "a file that is missing, named twice or too long is refused",
    async ({ content }, id) => {
      const twice = { path: "a.md", text: "a" };
      for (const items of [
        [{ path: "missing.md" }],
        [twice, twice],
        [twice, { path: "a.md/b.md", text: "b" }],
        [{ path: "long.md", text: "x".repeat(5 * 1024 * 1024 + 1) }],
        Array.from({ length: 60 }, (_, index) => ({ path: `${index}.md`, text: "" })),
      ])
        ok("refused" in (await content.hold(id, ref, items)));
    },
  ],
  [
    "every file on record is returned with its text, or with why it differs from the record",
    async ({ content, write, file }, id) => {
      await write("kept.md", "kept");
      await write("changed.md", "before");
      await write("long.md", "x".repeat(5 * 1024 * 1024 + 1));
      const records = await hold(content, id, [{ path: "kept.md" }, { path: "changed.md" }, { path: "long.md" }]);
      await write("changed.md", "after");
      const gone = { path: "gone.md", bytes: 0, sha256: digest("") };
      const read = await content.read(id, ref, [...records, gone]);
      deepStrictEqual(read[0], { path: "kept.md", isNew: false, text: "kept" });
      deepStrictEqual(
        read.map((one) => [one.path, one.isNew, "problem" in one ? one.problem : ""]),
        [
          ["kept.md", false, ""],
          ["changed.md", false, "it has changed since it was submitted"],
          ["long.md", false, "it is larger than 5 MB"],
          ["gone.md", true, "it no longer exists"],
        ],
      );
      strictEqual(await file("gone.md"), undefined);
    },
  ],
  [
    "a held text comes before the file at its path",
    async ({ content, write }, id) => {
      await write("a.md", "old");
      const records = await hold(content, id, [{ path: "a.md", text: "new" }]);
      deepStrictEqual(await content.read(id, ref, records), [{ path: "a.md", isNew: false, text: "new" }]);
    },
  ],
  [
    "held texts of one session are invisible to another at the same step",
    async ({ content, file }, id) => {
      const other: StreamId = { kind: "session", name: "discovery-2" };
      const mine = await hold(content, id, [{ path: "a.md", text: "mine" }]);
      const theirs = await hold(content, other, [{ path: "b.md", text: "theirs" }]);
      const unknown = await content.read(id, ref, theirs);
      ok(unknown.every((one) => "problem" in one));
      deepStrictEqual(await content.save(id, ref, mine), []);
      deepStrictEqual(await content.saveLeftOvers(id, async () => mine), []);
      deepStrictEqual([await file("a.md"), await file("b.md")], ["mine", undefined]);
      deepStrictEqual(await content.save(other, ref, theirs), []);
      strictEqual(await file("b.md"), "theirs");
    },
  ],
];

const badPaths: readonly string[] = [
  "",
  "/etc/passwd",
  "../outside.md",
  "docs/../../outside.md",
  "docs/./a.md",
  "docs//a.md",
  "docs/",
  "C:\\a.md",
  "C:/a.md",
  "docs\\a.md",
  "a\0.md",
  "a\n.md",
  "lone \uD800.md",
  `${"x/".repeat(200)}a.md`,
  `${"é".repeat(150)}.md`,
  ".env",
  ".waymark/journal/story_bot.jsonl",
  "docs/.git/config",
  "\u200c.git/config",
  "workflow_state.json",
  "Workflow_State.JSON",
  "workflow_\u017ftate.json",
  "activity_log.json",
  "activity_log.json.",
  "activity_log.json::$DATA",
];

async function hold(
  content: Content,
  id: StreamId,
  items: readonly ContentItem[],
  step = ref,
): Promise<readonly ContentRecord[]> {
  const held = await content.hold(id, step, items);
  ok("records" in held, JSON.stringify(held));
  deepStrictEqual(held.warnings, []);
  return held.records;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
