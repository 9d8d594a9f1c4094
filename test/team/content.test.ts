import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../command-line.ts";
import { addWorkflow, callPhase, evidenceFor } from "../phased.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { newer, openWindow, type Window } from "../window.ts";
import { startServer } from "./server.ts";

async function read({ client }: Window, uri: string): Promise<unknown> {
  const [content] = (await client.readResource({ uri })).contents;
  return content !== undefined && "text" in content ? content.text : undefined;
}

const stores = { files: async () => undefined, PostgreSQL: postgresUrl };

describe.each(Object.entries(stores))("what was saved in %s", (_, address) => {
  it.each(newer)("is told of in the reply, listed, and read back as a resource (%s)", async (era) => {
    const { root } = makeProject();
    const store = await address();
    const { open } = await startServer(root, store === undefined ? {} : { store, project: freshProject() });
    const window = await open({ era });
    await window.call("shape_bot");
    const content = [{ path: "docs/größe & co.md", text: "# Größe\n" }];
    const waiting = await window.call("complete_action", { content });
    expect(waiting).toMatchObject({ status: "awaiting_human" });
    expect(waiting.saved).toBeUndefined();
    const uri = "waymark://content/story_bot.shape/docs/gr%C3%B6%C3%9Fe%20%26%20co.md";
    await expect(read(window, uri)).rejects.toThrow("no resource"); // handed in is not saved
    const done = await window.call("complete_action", { confirmation: "yes" });
    expect(done).toMatchObject({ status: "completed", saved: [uri] });
    expect(done.text).toContain(`Saved: ${uri}`);
    expect((await window.client.listResources()).resources).toContainEqual(
      expect.objectContaining({ uri, size: 10, mimeType: "text/markdown" }),
    );
    expect(await read(window, uri)).toBe("# Größe\n");
    expect(await read(window, uri.replace("story_bot.shape", "story_bot"))).toBe("# Größe\n");
    await expect(read(window, uri.replace("shape", "discovery"))).rejects.toThrow("no resource");
  });

  it("is a run's own, however the run is called, and stays what it was when another run saves there", async () => {
    const { root } = makeProject();
    const store = await address();
    const { open } = await startServer(root, store === undefined ? {} : { store, project: freshProject() });
    const window = await open();
    const pass = async (run: string, text: string): Promise<void> => {
      await window.call("shape_bot", { run });
      const done = await window.call("complete_action", {
        run,
        confirmation: "yes",
        content: [{ path: "a.md", text }],
      });
      expect(done.saved).toEqual([`waymark://content/story_bot.shape@${encodeURIComponent(run)}/a.md`]);
    };
    await pass("feature/tea", "tea");
    expect(await read(window, "waymark://content/story_bot.shape@feature%2Ftea/a.md")).toBe("tea");
    expect(await read(window, "waymark://content/story_bot@feature%2Ftea/a.md")).toBe("tea");
    expect(await read(window, "waymark://content/feature%2Ftea/a.md")).toBe("tea");
    await pass("other", "coffee");
    expect(await read(window, "waymark://content/other/a.md")).toBe("coffee");
    const before = read(window, "waymark://content/story_bot.shape@feature%2Ftea/a.md");
    // Files hold one text at a path; in a database each text is kept for good.
    if (store === undefined) await expect(before).rejects.toThrow("has changed since");
    else expect(await before).toBe("tea");
  });

  it("of a session is read back by its id, and shows nothing of a phase to come", async () => {
    const project = makeProject();
    addWorkflow(project, { type: "plan" });
    const store = await address();
    const { open } = await startServer(project.root, store === undefined ? {} : { store, project: freshProject() });
    const window = await open();
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "plan" });
    const done = await callPhase(window, "complete_phase", {
      session_id,
      phase: 1,
      evidence: evidenceFor(1),
      content: [{ path: "out/one.txt", text: "one" }],
    });
    expect(done).toMatchObject({
      checkpoint_passed: true,
      saved: [`waymark://content/${session_id}/out/one.txt`],
    });
    expect(await read(window, `waymark://content/${session_id}/out/one.txt`)).toBe("one");
    for (const path of ["phase.md", "../.waymark/workflows/plan/phases/2/phase.md", ".waymark/workflows/plan.md"])
      await expect(read(window, `waymark://content/${session_id}/${path}`), path).rejects.toThrow("no resource");
  });
});

it("a path is looked up, never followed: nothing that no run has saved is read", async () => {
  const project = makeProject();
  project.write("secret.txt", "secret");
  const { open } = await startServer(project.root);
  const window = await open();
  await window.call("shape_bot");
  await window.call("complete_action", { confirmation: "yes", content: [{ path: "a.md", text: "a" }] });
  for (const path of [
    "secret.txt",
    "../secret.txt",
    "x/../secret.txt",
    "..%2Fsecret.txt",
    "%2Fetc%2Fpasswd",
    "a.md/",
    "%",
  ])
    for (const run of ["story_bot.shape", "story_bot", "..", ".", "__proto__", "constructor", "%2e%2e"])
      await expect(read(window, `waymark://content/${run}/${path}`), `${run} ${path}`).rejects.toThrow("no resource");
});

it("another project's content does not exist", async () => {
  const { root } = makeProject();
  const entries = ["one", "two"].map((name) => [name, { definitions: join(makeProject().root, ".waymark") }]);
  const projects = join(root, "projects.json");
  writeFileSync(projects, JSON.stringify(Object.fromEntries(entries)));
  const { open } = await startServer(root, { projects, store: `${await postgresUrl()}?schema=content_test` });
  const there = await open({ project: "two" });
  await there.call("shape_bot", { run: "r" });
  const content = [{ path: "a.md", text: "of two" }];
  await there.call("complete_action", { run: "r", confirmation: "yes", content });
  const here = await open({ project: "one" });
  for (const run of ["r", "story_bot@r", "story_bot.shape@r", "two", "two%2Fr"])
    await expect(read(here, `waymark://content/${run}/a.md`), run).rejects.toThrow("no resource");
  expect(JSON.stringify(await here.client.listResources())).not.toContain("a.md");
  expect(await read(there, "waymark://content/r/a.md")).toBe("of two");
});

describe("waymark export --content", () => {
  it("writes a run's files from PostgreSQL, on a machine that has none of them", async () => {
    const { root } = makeProject();
    const [store, project] = [await postgresUrl(), freshProject()];
    const { open } = await startServer(root, { store, project });
    const window = await open();
    for (const text of ["first", "second"]) {
      await window.call("shape_bot", { action: "gather_context", resume: text === "second" ? "retry" : undefined });
      await window.call("complete_action", { confirmation: "yes", content: [{ path: "docs/a.md", text }] });
    }
    await window.call("shape_bot", { run: "tea" });
    const content = [{ path: "docs/a.md", text: "tea" }];
    await window.call("complete_action", { run: "tea", confirmation: "yes", content });
    const elsewhere = makeProject();
    const out = (name: string): string => join(elsewhere.root, name);
    const place = ["--root", elsewhere.root, "--store", store, "--project", project];
    const first = await runCli(["export", "story_bot.shape", "--content", out("all"), "--run", "tea", ...place]);
    expect([first.code, first.stderr]).toEqual([0, ""]);
    expect(readFileSync(join(out("all"), "docs/a.md"), "utf8")).toBe("tea");
    const both = await runCli(["export", "story_bot", "--content", out("both"), "--json", ...place]);
    expect(both.code).toBe(1); // two runs saved the same path, and neither is written over the other
    const texts = JSON.parse(both.stdout).map(({ files }: { files: { problem?: string }[] }) => files[0]?.problem);
    expect(texts).toEqual([undefined, "another file exists there"]);
    expect(readFileSync(join(out("both"), "docs/a.md"), "utf8")).toBe("second");
    const none = await runCli(["export", "story_bot.discovery", "--content", out("none"), ...place]);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("No file was saved in story_bot.discovery")]);
  });

  it("writes through no link, and over nobody's file", async () => {
    const { root, path, write } = makeProject();
    const window = await openWindow(root);
    await window.call("shape_bot");
    const content = ["docs/a.md", "b.md"].map((file) => ({ path: file, text: file }));
    await window.call("complete_action", { confirmation: "yes", content });
    mkdirSync(path("out"));
    mkdirSync(path("away"));
    symlinkSync(path("away"), path("out/docs"));
    write("out/b.md", "mine");
    const done = await runCli(["export", "--content", path("out"), "--root", root]);
    expect(done.code).toBe(1);
    expect(done.stdout).toContain("docs/a.md was not written: it leaves");
    expect(done.stdout).toContain("b.md was not written: another file exists there");
    expect(existsSync(path("away/a.md"))).toBe(false);
    expect(readFileSync(path("out/b.md"), "utf8")).toBe("mine");
  });
});
