import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inDatabase, overHttp } from "../doors.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

describe("content that is handed in", () => {
  test("is kept until the completion counts, then saved inside the project area", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.call("story_bot");
    const content = [{ path: "docs/deep/map.md", text: "# Map\n" }];
    await window.call("complete_action", { content });
    expect(existsSync(project.path("docs"))).toBe(false);
    expect((await window.call("complete_action", { content, confirmation: "yes" })).status).toBe("completed");
    expect(project.read("docs/deep/map.md")).toBe("# Map\n");
    expect(project.log().at(-1)?.outputs).toMatchObject({ files: ["docs/deep/map.md"] });
  });

  test.skipIf(overHttp("nobody hands in a file without its text"))(
    "without text, the file that stands there is put on record by size and hash",
    async () => {
      const project = makeProject();
      project.write("docs/map.md", "# Map\n");
      const window = await openWindow(project.root);
      await window.call("story_bot");
      expect(
        (await window.call("complete_action", { content: [{ path: "docs/map.md" }], confirmation: "yes" })).status,
      ).toBe("completed");
      expect(project.read(".waymark/journal/story_bot.jsonl")).toMatch(
        /"path":"docs\/map.md"[^}]*"bytes":6|"bytes":6[^}]*"path":"docs\/map.md"/,
      );
    },
  );

  test("outputs are saved in a readable file and handed to later actions", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.pass("story_bot", { outputs: { users: "Guests of a tea shop", limits: ["no delivery", "one shop"] } });
    const record = project.read("story_bot/shape/gather_context.md");
    expect(record).toContain("Guests of a tea shop");
    expect(record).toContain("- no delivery");
    // Whoever handed them in is told where they are kept; whoever comes later gets them.
    expect((await window.call("story_bot")).instructions).toContain("story_bot/shape/gather_context.md");
    const later = await openWindow(project.root);
    expect((await later.call("story_bot")).instructions).toContain("Guests of a tea shop");
  });

  const outside = ["../outside.md", "/etc/outside.md", "a/../../outside.md", "C:\\outside.md", "a\\b.md", ""];
  const dotFolders = [".waymark/config.json", ".git/config", "docs/.hidden/x.md", ".mcp.json", ".waymark"];
  const ours = ["workflow_state.json", "activity_log.json", "WORKFLOW_STATE.json", "./workflow_state.json"];
  test.each([...outside, ...dotFolders, ...ours])(
    "a path that must not be written, %j, is refused and nothing is written",
    async (path) => {
      const project = makeProject();
      const window = await openWindow(project.root);
      await window.call("story_bot");
      const before = { state: project.read("workflow_state.json"), files: readdirSync(project.root) };
      const content = [
        { path: "good.md", text: "fine" },
        { path, text: "bad" },
      ];
      const answer = await window.call("complete_action", { content, confirmation: "yes" });
      expect(answer).toMatchObject({ status: "refused", isError: true, error: "invalid_input" });
      expect(answer.message).toContain(JSON.stringify(path).slice(1, -1));
      expect(project.read("workflow_state.json")).toBe(before.state);
      expect(readdirSync(project.root)).toEqual(before.files);
    },
  );

  test.skipIf(inDatabase("no link stands on the way of content"))(
    "a path that leaves the project area through a symlink is refused",
    async () => {
      const project = makeProject();
      const elsewhere = makeProject();
      symlinkSync(elsewhere.root, project.path("linked"));
      mkdirSync(project.path("docs"));
      writeFileSync(elsewhere.path("target.md"), "untouched");
      symlinkSync(elsewhere.path("target.md"), join(project.path("docs"), "target.md"));
      const window = await openWindow(project.root);
      await window.call("story_bot");
      for (const path of ["linked/new.md", "docs/target.md"]) {
        const answer = await window.call("complete_action", { content: [{ path, text: "bad" }], confirmation: "yes" });
        expect(answer).toMatchObject({ error: "invalid_input" });
      }
      expect(existsSync(elsewhere.path("new.md"))).toBe(false);
      expect(elsewhere.read("target.md")).toBe("untouched");
    },
  );
});
