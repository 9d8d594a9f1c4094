import { readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { overHttp } from "../doors.ts";
import { forge } from "../forge.ts";
import { reply, sitDown } from "../people.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import type { Project } from "../project.ts";
import { openInTurn, startServer } from "../team/server.ts";
import { openWindow, type Window } from "../window.ts";
import { call, good, type ItemResult, itemProject, planned, recorded } from "./item-calls.ts";

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `item ${at + 1}`);

/** Walks every item that is ready, over and over, until none is left; several may do it at once. */
async function workOn(window: Pick<Window, "client">, session: string): Promise<string[]> {
  const done: string[] = [];
  for (;;) {
    const { items, phase_number } = await call(window, "get_phase_content", { session_id: session });
    if (phase_number !== 2 || items === undefined) return done;
    const [item] = items.ready.length > 0 ? items.ready : items.open;
    if (item === undefined) continue;
    const started = await call(window, "start_workflow", { session_id: session, item });
    if (started.error !== undefined) continue;
    const finished = await call(window, "complete_phase", { session_id: started.session_id, phase: 1, evidence: good });
    if (finished.checkpoint_passed === true) done.push(item);
  }
}

/** The items that a parent recorded as settled, in order. */
function settledIn(project: Project, session: string): readonly string[] {
  return recorded(project, session).flatMap((event) => (event.type === "item_settled" ? event.item : []));
}

async function isProved(project: Project, store?: readonly string[]): Promise<void> {
  const { code, stdout } = await runCli(["verify", "--require", "each", "--root", project.root, ...(store ?? [])]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("was completed as defined")]);
}

test("three windows share the places: each item is settled once", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 3 }");
  const windows = await Promise.all([1, 2, 3].map(() => openWindow(project.root)));
  const [first] = windows;
  if (first === undefined) return;
  const { session, complete, state } = await planned(first, names(9));
  await Promise.all(windows.map((window) => workOn(window, session)));
  expect([...settledIn(project, session)].sort()).toEqual([...names(9)].sort());
  let open = 0;
  for (const { type } of recorded(project, session)) {
    if (type === "item_opened") open += 1;
    if (type === "item_settled") open -= 1;
    expect(open).toBeLessThanOrEqual(3);
  }
  await complete(3, { redo: [], findings: 0 });
  expect(await state()).toMatchObject({ workflow_complete: true });
  await isProved(project);
});

test("sub-agents on one connection walk items at once", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 3 }");
  const window = await openWindow(project.root);
  const { session, complete } = await planned(window, names(9));
  await Promise.all([1, 2, 3].map(() => workOn(window, session)));
  expect(settledIn(project, session)).toHaveLength(9);
  expect(await complete(3, { redo: [], findings: 0 })).toMatchObject({ workflow_complete: true });
  await isProved(project);
});

test("an item that waits for approval is shown with its parent; a person's approval settles it", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 3 }");
  const gate = "approval: true\nevidence_schema:";
  project.write(
    ".waymark/workflows/one.md",
    project.read(".waymark/workflows/one.md").replace("evidence_schema:", gate),
  );
  const window = await openWindow(project.root);
  const { open, read, finish } = await planned(window, ["a"]);
  const { session_id } = await open("a");
  const content = [{ path: "docs/a.md", text: "# A\n" }];
  const waits = await call(window, "complete_phase", { session_id, phase: 1, evidence: good, content });
  expect(waits).toMatchObject({ error: "approval_required" });
  expect(await finish(session_id)).toMatchObject({ error: "approval_required" });
  const shown = await runCli(["show", "--json", "--root", project.root]);
  expect(JSON.parse(shown.stdout)).toMatchObject([{ run: session_id, waiting_for: "person" }]);
  const person = sitDown().runs(project, ["approve", session_id]);
  await reply(person, "[y/N]", "y");
  await person.ends();
  expect((await read()).phase_number).toBe(3);
  expect(project.read("docs/a.md")).toBe("# A\n");
});

test("an item whose end was not recorded in its parent, as after a crash, is settled by the next call to either", async () => {
  for (const next of ["parent", "item"]) {
    const project = itemProject("{ in: plan.parts, parallel: 3 }");
    const before = await openWindow(project.root);
    const { session, open } = await planned(before, ["a", "b"]);
    const { session_id: item } = await open("a");
    const file = project.path(`.waymark/journal/sessions/${session}.jsonl`);
    const kept = readFileSync(file);
    await call(before, "complete_phase", { session_id: item, phase: 1, evidence: good });
    await before.close();
    // the parent as it was when the process died between the two records
    writeFileSync(file, kept);
    for (const left of readdirSync(project.path(".waymark/journal/sessions")))
      if (left.startsWith(session) && /\.(?:published|checkpoint|shown)$/.test(left) && !left.includes("%2F"))
        unlinkSync(project.path(`.waymark/journal/sessions/${left}`));
    const after = await openWindow(project.root);
    const read = (id: string) => call(after, "get_phase_content", { session_id: id });
    if (next === "item") await read(item);
    expect((await read(session)).items, next).toEqual({ total: 2, open: [], ready: ["b"] });
    expect(settledIn(project, session)).toHaveLength(1);
  }
});

test.skipIf(overHttp("it starts servers of its own"))(
  "over HTTP, three replicas on one database walk the items of one parent",
  async () => {
    const project = itemProject('{ file: "{{inputs.tasks}}", after: depends_on, parallel: 3 }');
    const store = await postgresUrl();
    const name = freshProject();
    const servers = await Promise.all([1, 2, 3].map(() => startServer(project.root, { store, project: name })));
    const urls = servers.map(({ url }) => url);
    const windows = await Promise.all(["one", "two", "three"].map((client) => openInTurn(urls, { name: client })));
    const [first] = windows;
    if (first === undefined) return;
    const begun = await call(first, "start_workflow", { workflow_type: "each", inputs: { tasks: "docs/tasks.md" } });
    const session = begun.session_id;
    const list = Array.from(
      { length: 8 },
      (_, at) => `- [ ] T00${at + 1} ${at % 3 === 0 ? "" : "[P] "}Task ${at}`,
    ).join("\n");
    const content = [{ path: "docs/tasks.md", text: list }];
    const opened = await call(first, "complete_phase", {
      session_id: session,
      phase: 1,
      evidence: { parts: ["x"] },
      content,
    });
    expect(opened.items).toMatchObject({ total: 8, ready: ["T001"] });
    await Promise.all(windows.map((window) => workOn(window, session)));
    const done = await call(first, "complete_phase", {
      session_id: session,
      phase: 3,
      evidence: { redo: [], findings: 0 },
    });
    expect(done).toMatchObject({ workflow_complete: true });
    await isProved(project, ["--store", store, "--project", name]);
  },
);

/** The tokens of a reply besides what the author wrote and what is missing. */
function besideTokens({
  phase_content: _,
  next_phase_content: __,
  current_phase_content: ___,
  missing_evidence: ____,
  ...rest
}: ItemResult): number {
  const {
    isError: _e,
    text: _t,
    artifacts_available: _a,
    artifacts_from_previous: _p,
    checkpoint_criteria: _c,
    ...counted
  } = rest;
  return countTokens(JSON.stringify(counted));
}

test("replies with items stay within 300 tokens beside instructions, however many and however long their names", async () => {
  const long = Array.from(
    { length: 300 },
    (_, at) => `A story with a long name that nobody would type twice, number ${at}`,
  );
  const window = await openWindow(itemProject("{ in: plan.parts, parallel: 50 }").root);
  const { opened, open, read, finish } = await planned(window, long);
  const costs = [besideTokens(opened), besideTokens(await read())];
  const ready = opened.items?.ready ?? [];
  expect(ready.length).toBeGreaterThan(1);
  expect(ready.length).toBeLessThanOrEqual(20);
  for (const item of ready) {
    const started = await open(item);
    costs.push(besideTokens(started), besideTokens(await finish(started.session_id)));
  }
  for (let at = 0; at < 25; at++) await open((await read()).items?.ready[0] ?? "");
  costs.push(besideTokens(await read()));
  expect(Math.max(...costs)).toBeLessThanOrEqual(300);
});

describe("a record of items that was changed with every hash right is found out", () => {
  const walked = async (): Promise<{ project: Project; file: string; session: string }> => {
    const project = itemProject("{ in: plan.parts, parallel: 3, after: needs }");
    const window = await openWindow(project.root);
    const { session, settle, complete } = await planned(window, [{ id: "a" }, { id: "b", needs: ["a"] }]);
    await settle("a");
    await settle("b");
    await complete(3, { redo: [], findings: 0 });
    await window.close();
    return { project, session, file: `.waymark/journal/sessions/${session}.jsonl` };
  };
  const required = async (project: Project): Promise<string> => {
    const { code, stdout } = await runCli(["verify", "--require", "each", "--root", project.root]);
    expect(code).toBe(1);
    return stdout;
  };

  test("an item that was never settled", async () => {
    const { project, file } = await walked();
    forge(project, file, (event) => (event.type === "item_settled" && event.item === "b" ? [] : event));
    expect(await required(project)).toContain("item b: it is not settled");
  });

  test("an item with another outcome, or with another session's head", async () => {
    const { project, file } = await walked();
    forge(project, file, (event) =>
      event.type === "item_settled" && event.item === "b" ? { ...event, head: "0".repeat(64) } : event,
    );
    const said = await required(project);
    expect(said).toContain("its items are not those that it was completed with");
    expect(said).toContain("item b: the history of its session is not the one that settled it");
  });

  test("an item that was opened before what it comes after", async () => {
    const { project, file } = await walked();
    let held: unknown;
    forge(project, file, (event) => {
      if (event.type === "item_settled" && event.item === "a") {
        held = event;
        return [];
      }
      if (event.type === "item_settled" && event.item === "b") return [held as typeof event, event];
      return event;
    });
    expect(await required(project)).toContain("item b was opened before a");
  });

  test("an item whose session is gone, or was judged by another gate", async () => {
    const { project, session } = await walked();
    unlinkSync(project.path(`.waymark/journal/sessions/${session}%2F2%2E1%2Fb.jsonl`));
    expect(await required(project)).toContain("item b");
    const other = await walked();
    other.project.write(
      ".waymark/workflows/one.md",
      other.project
        .read(".waymark/workflows/one.md")
        .replace("one_of: [good, bad]", "one_of: [good]")
        .replace("then:\n  - { when: 'verdict == \"bad\"', end: no-go }\n", ""),
    );
    expect(await required(other.project)).toContain("item a: phase 1 was judged by a different gate");
  });
});

test("--recheck runs the checks of items again: a file that changed since is found", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 3 }");
  const check = "checks:\n  - { name: page, file: docs/a.md, min_words: 2 }\nevidence_schema:";
  project.write(
    ".waymark/workflows/one.md",
    project.read(".waymark/workflows/one.md").replace("evidence_schema:", check),
  );
  const window = await openWindow(project.root);
  const { open, complete } = await planned(window, ["a"]);
  const { session_id } = await open("a");
  const content = [{ path: "docs/a.md", text: "# Two words\n\nAnd more.\n" }];
  await call(window, "complete_phase", { session_id, phase: 1, evidence: good, content });
  await complete(3, { redo: [], findings: 0 });
  await window.close();
  const again = () => runCli(["verify", "--require", "each", "--recheck", "--root", project.root]);
  expect(await again()).toMatchObject({ code: 0, stdout: expect.stringContaining("were rerun and agree") });
  project.write("docs/a.md", "\n");
  expect(await again()).toMatchObject({ code: 1, stdout: expect.stringContaining(`item ${session_id}`) });
});
