import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { runCli } from "../command-line.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

const fresh = async (): Promise<string[]> => ["--store", await postgresUrl(), "--project", freshProject()];

const run = async (project: Project, command: readonly string[], store: readonly string[] = []) => {
  const { code, stdout, stderr } = await runCli([...command, "--root", project.root, ...store, "--json"]);
  return { code, stderr, data: stdout === "" ? undefined : JSON.parse(stdout) };
};

const heads = async (project: Project, store: readonly string[] = []): Promise<string[]> => {
  const { code, data } = await run(project, ["verify"], store);
  expect([code, data.problems]).toEqual([0, []]);
  return data.desks.map(
    ({ desk: stream, run = "", head, records }: Record<string, unknown>) => `${stream} ${run} ${head} ${records}`,
  );
};

/** A project with two runs and a session, content handed in, and a signed head. */
async function walked(): Promise<Project> {
  const project = makeProject();
  project.write(
    ".waymark/workflows/survey.md",
    "# Survey\n\n## Phase 1: Look\n\n## Validation Gate\n\n- [ ] places_seen: integer\n",
  );
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const content = [{ path: "docs/a.md", text: "# A\n" }];
  await window.call("complete_action", { confirmation: "yes", outputs: { text: 'a "quoted" \u0000 – é' }, content });
  await window.call("discovery_bot", { run: "feature/login" });
  await window.call("complete_action", {
    run: "feature/login",
    outputs: { draft: 1 },
    content: [{ path: "docs/b.md", text: "held" }],
  });
  await window.call("start_workflow", { workflow_type: "survey", target_file: "docs/a.md" });
  await window.close();
  await runCli(["verify", "--new-key", `${project.root}-key`]);
  await run(project, ["verify", "--sign", `${project.root}-key`]);
  return project;
}

it("histories go from files to PostgreSQL and back, twice, with the same heads, and nothing is lost or doubled", async () => {
  const first = await walked();
  const before = await heads(first);
  expect(before).toHaveLength(3);
  const [store, other] = [await fresh(), await fresh()];
  const [there, back] = [makeProject(), makeProject()];
  for (const project of [there, back])
    project.write(".waymark/workflows/survey.md", first.read(".waymark/workflows/survey.md"));
  const file = `${first.root}-history.jsonl`;
  for (const round of [1, 2]) {
    expect((await run(first, ["export", "--history", file])).code).toBe(0);
    const taken = await run(there, ["import", file], store);
    expect([taken.code, taken.stderr]).toEqual([0, ""]);
    if (round === 2) expect(taken.data.every(({ added }: { added: number }) => added === 0)).toBe(true);
    expect(await heads(there, store)).toEqual(before);
    expect((await run(there, ["export", "--history", file], store)).code).toBe(0);
    const returned = await run(back, ["import", file]);
    expect([returned.code, returned.stderr]).toEqual([0, ""]);
    expect(await heads(back)).toEqual(before);
    expect((await run(back, ["import", file], other)).code).toBe(0);
    expect(await heads(back, other)).toEqual(before);
  }
  expect(back.read("docs/a.md")).toBe("# A\n");
  const signed = (await run(there, ["verify", "--key", `${first.root}-key.pub`], store)).data;
  expect(signed.desks[0].heads).toMatchObject([{ verdict: "holds" }]);
  const window = await openWindow(there.root, { args: store });
  const goneOn = await window.call("discovery_bot", { run: "feature/login", resume: "continue" });
  expect(goneOn).toMatchObject({ status: "started", action: "gather_context" });
  expect(await window.call("complete_action", { run: "feature/login", confirmation: "yes" })).toMatchObject({
    status: "completed",
  });
  expect(there.read("docs/b.md")).toBe("held");
});

it("another history in the place of one is said, and then nothing of the file is brought in", async () => {
  const first = await walked();
  const file = `${first.root}-history.jsonl`;
  await run(first, ["export", "--history", file]);
  const other = makeProject();
  const window = await openWindow(other.root);
  await window.pass("shape_bot");
  const before = await heads(other);
  const refused = await run(other, ["import", file]);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining("story_bot has another history here: record 1 differs"),
  ]);
  expect(await heads(other)).toEqual(before);
});

it("a file that was cut, changed or is none is refused whole", async () => {
  const first = await walked();
  const file = `${first.root}-history.jsonl`;
  await run(first, ["export", "--history", file]);
  const text = readFileSync(file, "utf8");
  const store = await fresh();
  const lines = text.trimEnd().split("\n");
  for (const bad of [
    lines.slice(0, -1).join("\n"),
    lines.filter((_, index) => index !== 2).join("\n"),
    text.replace("gather_context", "gather_contexT"),
    text.replace('"area":""', '"area":"../elsewhere"'),
    "not a history",
  ]) {
    writeFileSync(`${file}.bad`, bad);
    expect((await run(first, ["import", `${file}.bad`], store)).code).toBe(1);
    expect(await heads(first, store)).toEqual([]);
  }
  writeFileSync(`${file}.mine`, "mine");
  expect((await run(first, ["export", "--history", `${file}.mine`])).code).toBe(1);
  expect(readFileSync(`${file}.mine`, "utf8")).toBe("mine");
});
