import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { canonical } from "../../src/kit/json.ts";
import { sha256 } from "../../src/kit/sha256.ts";
import type { Event } from "../../src/workflow/events.ts";
import { runCli } from "../command-line.ts";
import { forge } from "../forge.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow, type Window } from "../window.ts";

const content = [
  { path: "docs/a.md", text: "# A\n" },
  { path: "docs/b.md", text: "# B\n" },
];

/** An action whose two files are handed in, held, and wait for a person's word. */
async function waiting(): Promise<{ readonly project: Project; readonly window: Window; held(): string[] }> {
  const project = makeProject();
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  expect((await window.call("complete_action", { content })).status).toBe("awaiting_human");
  const held = (): string[] => {
    const top = project.path(".waymark/held");
    return readdirSync(top).flatMap((folder) => readdirSync(join(top, folder)).map((name) => join(top, folder, name)));
  };
  return { project, window, held };
}

const attacks: readonly [string, (files: readonly string[]) => void][] = [
  ["a held file is edited", ([first = ""]) => writeFileSync(first, "# Something else\n")],
  [
    "two held files are exchanged",
    ([first = "", second = ""]) => {
      renameSync(first, `${first}.moved`);
      renameSync(second, first);
      renameSync(`${first}.moved`, second);
    },
  ],
];

// Attack (file tools): Edit a file that is held until its completion counts, or exchange two
// -> Not saved; the next reply and `verify` say so
test.each(attacks)("with file tools: %s: nothing of it is saved or counts, and verify says so", async (_, spoil) => {
  const { project, window, held } = await waiting();
  spoil(held());
  const { code, stdout } = await runCli(["verify", "--root", project.root]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/held for shape\.gather_context .* differs from the submission/),
  ]);
  const refused = await window.call("complete_action", { confirmation: "yes, do" });
  expect(refused).toMatchObject({ status: "refused", error: "invalid_input" });
  expect(refused.message).toMatch(/docs\/[ab]\.md: its copy under .* submit it again/);
  expect(existsSync(project.path("docs"))).toBe(false);
  expect((await window.call("complete_action", { content, confirmation: "yes, do" })).status).toBe("completed");
  expect(["a", "b"].map((name) => project.read(`docs/${name}.md`))).toEqual(["# A\n", "# B\n"]);
  expect((await runCli(["verify", "--root", project.root])).code).toBe(0);
});

test("with file tools: a held file turned into a link: nothing behind it is read, and verify says so", async () => {
  const { project, held } = await waiting();
  const [first = ""] = held();
  rmSync(first);
  symlinkSync(project.path("workflow_state.json"), first);
  const { code, stdout } = await runCli(["verify", "--root", project.root]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/held for shape\.gather_context .* differs from the submission/),
  ]);
});

// Attack (file tools): Remove a file that is held
// -> The completion does not count without it
test.each([
  ["turned into a link", (file: string) => symlinkSync("workflow_state.json", file)],
  ["removed", () => {}],
])("with file tools: a held file is %s: the completion does not count without it", async (_, put) => {
  const { project, window, held } = await waiting();
  const [first = ""] = held();
  rmSync(first);
  put(first);
  const refused = await window.call("complete_action", { confirmation: "yes, do" });
  expect(refused).toMatchObject({ status: "refused", error: "invalid_input" });
  expect(refused.message).toMatch(/docs\/[ab]\.md: its copy under .* submit it again/);
  expect((await window.call("complete_action", { content, confirmation: "yes, do" })).status).toBe("completed");
  expect(["a", "b"].map((name) => project.read(`docs/${name}.md`))).toEqual(["# A\n", "# B\n"]);
});

test.each(attacks)(
  "with a shell: the server is killed between record and save, and %s: said, kept aside, not saved",
  async (_, spoil) => {
    const { project, window, held } = await waiting();
    const files = held();
    const texts = files.map((file) => readFileSync(file));
    expect((await window.call("complete_action", { confirmation: "yes, do" })).status).toBe("completed");
    await window.close();
    // As a kill leaves it: completed on record, and still held.
    for (const name of ["docs/a.md", "docs/b.md"]) project.remove(name);
    for (const [index, file] of files.entries())
      project.write(file.slice(project.root.length + 1), String(texts[index]));
    spoil(files);
    const next = await openWindow(project.root);
    const { warnings } = await next.call("shape_bot");
    expect(warnings.join()).toMatch(/docs\/[ab]\.md was not saved: its copy under .* submit it again/);
    expect(["a", "b"].filter((name) => existsSync(project.path(`docs/${name}.md`))).length).toBeLessThan(2);
    for (const name of ["a", "b"])
      if (existsSync(project.path(`docs/${name}.md`)))
        expect(project.read(`docs/${name}.md`)).toBe(`# ${name.toUpperCase()}\n`);
    expect(readdirSync(project.path(".waymark/kept")).join()).toMatch(/[ab]\.20.*\.md/);
    expect((await next.call("shape_bot")).warnings.join()).not.toMatch(/not saved/);
  },
);

// Attack (file tools): Add a record whose hash of a file is a path, so that what is there is taken for a held file
// -> Nothing there is read, kept or removed
test("with file tools: a forged record whose hash is a path: nothing outside is read, kept or removed when its files are saved", async () => {
  const { project, window } = await waiting();
  await window.close();
  const victim = project.path("secret.txt");
  writeFileSync(victim, "a secret of somebody's");
  forge(project, ".waymark/journal/story_bot.jsonl", (event) => {
    if (event.type !== "handed_in") return event;
    const forged = [{ path: "docs/a.md", bytes: 4, sha256: "../../../secret.txt" }];
    const completed = { ...event, type: "completed", duration: 1, fingerprint: "f", finished: false, next: null };
    const word = { level: "relayed", text: "yes" };
    return [event, { ...completed, word, successor: null, content: forged } as Event];
  });
  const next = await openWindow(project.root);
  await next.call("shape_bot");
  await next.close();
  expect(readFileSync(victim, "utf8")).toBe("a secret of somebody's");
  const kept = project.path(".waymark/kept");
  expect(existsSync(kept) ? readdirSync(kept).map((name) => readFileSync(join(kept, name), "utf8")) : []).not.toContain(
    "a secret of somebody's",
  );
});

// Attack (file tools): Add a record that lacks what every such record has, so that calls fail on it
// -> It counts as none: calls go on, and `verify` names it
test.each([
  ["no word at its completion", { word: undefined }],
  ["a file without a path", { content: [{ path: 5, bytes: 1, sha256: "f" }] }],
])(
  "with file tools: a forged record with %s is no record: calls are answered, and verify names it",
  async (_, part) => {
    const { project, window } = await waiting();
    await window.close();
    const journal = ".waymark/journal/story_bot.jsonl";
    const lines = project.read(journal).trimEnd().split("\n");
    const last = JSON.parse(lines.at(-1) ?? "");
    const event = { ...last.events[0], type: "completed", duration: 1, fingerprint: "f", finished: false, next: null };
    const forged = { ...last, op: "forged", prev: sha256(lines.at(-1) ?? ""), seq: last.seq + 1 };
    const word = { level: "relayed", text: "yes" };
    project.write(journal, [...lines, canonical({ ...forged, events: [{ word, ...event, ...part }] }), ""].join("\n"));
    const next = await openWindow(project.root);
    expect(["started", "interrupted"]).toContain((await next.call("shape_bot")).status);
    await next.close();
    const { code, stdout } = await runCli(["verify", "--root", project.root]);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`record ${last.seq + 1}`)]);
  },
);
