import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { createHash } from "node:crypto";
import type { ContentKeeper } from "../engine/ports.ts";
import type { ContentRecord, StepRef } from "../workflow/events.ts";

/** A fresh project area with its keeper; `file` and `write` reach what stands there without the keeper. */
export type OpenedArea = {
  readonly keeper: ContentKeeper;
  file(path: string): string | undefined;
  write(path: string, text: string): void;
  dispose(): Promise<void> | void;
};

/** One rule that every keeper of content keeps; `run` rejects where it is broken. Works with any test runner. */
export type ContentRule = {
  readonly title: string;
  run(open: () => Promise<OpenedArea>): Promise<void>;
};

/** The rules of a keeper of content. */
export function contentKeeperContract(): readonly ContentRule[] {
  return rules.map(([title, check]) => ({
    title,
    async run(open) {
      const area = await open();
      try {
        await check(area);
      } finally {
        await area.dispose();
      }
    },
  }));
}

const ref: StepRef = { workflow: "discovery", pass: 1, step: "build_knowledge", attempt: 1 };

const rules: readonly (readonly [string, (area: OpenedArea) => Promise<void>])[] = [
  [
    "a text is kept until its step counts, and only then saved",
    async ({ keeper, file }) => {
      const records = await hold(keeper, [{ path: "docs/story map.md", text: "# Größe" }]);
      deepStrictEqual(records, [{ path: "docs/story map.md", bytes: 9, sha256: digest("# Größe") }]);
      strictEqual(file("docs/story map.md"), undefined);
      deepStrictEqual(await keeper.read(ref, records), [{ path: "docs/story map.md", text: "# Größe" }]);
      deepStrictEqual(await keeper.save(ref, records), []);
      strictEqual(file("docs/story map.md"), "# Größe");
      deepStrictEqual(await keeper.read(ref, records), [{ path: "docs/story map.md", text: "# Größe" }]);
    },
  ],
  [
    "what was handed in last for a path is what is saved",
    async ({ keeper, file }) => {
      await hold(keeper, [{ path: "a.md", text: "first" }]);
      const records = await hold(keeper, [{ path: "a.md", text: "second" }]);
      await keeper.save(ref, records);
      strictEqual(file("a.md"), "second");
    },
  ],
  [
    "saving that was cut off is finished later, for completed steps only",
    async ({ keeper, file }) => {
      const records = await hold(keeper, [{ path: "a.md", text: "a" }]);
      deepStrictEqual(await keeper.saveLeftOvers(() => undefined), []);
      strictEqual(file("a.md"), undefined);
      const asked: StepRef[] = [];
      const finish = (asking: StepRef): readonly ContentRecord[] => {
        asked.push(asking);
        return records;
      };
      deepStrictEqual(await keeper.saveLeftOvers(finish), []);
      deepStrictEqual(asked, [ref]);
      strictEqual(file("a.md"), "a");
    },
  ],
  [
    "a file that stands there is put on record by size and hash, and left alone",
    async ({ keeper, file, write }) => {
      write("notes.md", "notes");
      const records = await hold(keeper, [{ path: "notes.md" }]);
      deepStrictEqual(records, [{ path: "notes.md", bytes: 5, sha256: digest("notes") }]);
      write("notes.md", "changed since");
      deepStrictEqual(await keeper.save(ref, records), []);
      strictEqual(file("notes.md"), "changed since");
    },
  ],
  [
    "a path that is no plain file inside the project area is refused, and then nothing of the call is kept",
    async ({ keeper }) => {
      for (const path of badPaths) {
        const held = await keeper.hold(ref, [
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
      deepStrictEqual(await keeper.read(ref, [good]), []);
    },
  ],
  [
    "a file that is not there, one named twice, or one too long is refused",
    async ({ keeper }) => {
      const twice = { path: "a.md", text: "a" };
      for (const items of [
        [{ path: "missing.md" }],
        [twice, twice],
        [twice, { path: "a.md/b.md", text: "b" }],
        [{ path: "long.md", text: "x".repeat(5 * 1024 * 1024 + 1) }],
        Array.from({ length: 60 }, (_, index) => ({ path: `${index}.md`, text: "" })),
      ])
        ok("refused" in (await keeper.hold(ref, items)));
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
  keeper: ContentKeeper,
  items: Parameters<ContentKeeper["hold"]>[1],
): Promise<readonly ContentRecord[]> {
  const held = await keeper.hold(ref, items);
  ok("records" in held, JSON.stringify(held));
  deepStrictEqual(held.warnings, []);
  return held.records;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
