import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import { chooseStart } from "../../src/hosts/init/choose-start.ts";
import { backupPath, recordPath } from "../../src/hosts/init/init-record.ts";
import { planRemoval } from "../../src/hosts/init/plan-removal.ts";
import { makeBench } from "./bench.ts";

test("a template is laid down whole, with schemas that its configs name", () => {
  const bench = makeBench();
  bench.init({ template: "story-bot" });
  expect(JSON.parse(bench.read(".waymark/bots/story_bot/bot_config.json"))).toMatchObject({
    $schema: "../../schemas/bot_config.schema.json",
    name: "story_bot",
  });
  const schema = JSON.parse(bench.read(".waymark/schemas/bot_config.schema.json"));
  const config = JSON.parse(bench.read(".waymark/bots/story_bot/bot_config.json"));
  expect(new Validator(schema, "7").validate(config).valid).toBe(true);
});

test("a phased workflow is laid down with its phases, their gates and the standards", () => {
  const bench = makeBench();
  const laid = bench.init({ template: "test-generation" });
  for (const phase of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const folder = `.waymark/workflows/test-generation/phases/${phase}`;
    expect(laid).toContain(`${folder}/phase.md`);
    expect(bench.read(`${folder}/gate-definition.yaml`)).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/\.\.\/\.\.\/\.\.\/schemas\/gate-definition\.schema\.json\n/,
    );
  }
  expect(laid).toContain(".waymark/workflows/test-generation/metadata.json");
  expect(laid.filter((file) => file.startsWith(".waymark/standards/")).length).toBeGreaterThanOrEqual(3);
});

test("a file of the author's is never overwritten, and said to be kept", () => {
  const bench = makeBench();
  const config = ".waymark/bots/story_bot/bot_config.json";
  bench.write(config, '{ "name": "mine" }\n');
  const plan = bench.plan({ template: "story-bot" });
  if ("problem" in plan) throw new Error(plan.problem);
  expect(plan.changes.find(({ path }) => path.endsWith(config))?.kept).toBe(
    "kept yours, which differs from the template",
  );
  bench.init({ template: "story-bot" });
  expect(bench.read(config)).toBe('{ "name": "mine" }\n');
});

test("a second run with the same template changes nothing", () => {
  const bench = makeBench();
  bench.init({ template: "story-bot", clients: ["claude"] });
  const once = bench.all();
  expect(bench.init({ template: "story-bot", clients: ["claude"] })).toEqual([]);
  expect(bench.all()).toEqual(once);
});

test("the engine's own files are not for git, at any depth", () => {
  const bench = makeBench();
  bench.write(".gitignore", "node_modules/");
  bench.init({ template: "blank" });
  expect(bench.read(".gitignore")).toBe(
    [
      "node_modules/",
      "",
      "# waymark begin",
      ...[
        "journal",
        "held",
        "kept",
        "tmp",
        "sessions",
        "runs",
        "state",
        "pinned",
        "index",
        "backups",
        "open",
        "notices",
        "forgotten",
      ].map((folder) => `**/.waymark/${folder}/`),
      "workflow_state.json",
      "activity_log.json",
      "# waymark end",
      "",
    ].join("\n"),
  );
});

test("lines that somebody took out of our block are not put back", () => {
  const bench = makeBench();
  bench.init({ template: "blank" });
  bench.write(".gitignore", bench.read(".gitignore").replace("workflow_state.json\n", ""));
  expect(bench.init({ template: "blank" })).toEqual([]);
});

test("a block that an earlier init wrote follows this one, unless somebody changed it", () => {
  const bench = makeBench();
  bench.init({ template: "blank" });
  const now = bench.read(".gitignore");
  const latest = now.replace("**/.waymark/forgotten/\n", "");
  const last = latest.replace("**/.waymark/notices/\n", "");
  const newest = last.replace("**/.waymark/state/\n", "");
  const before = newest.replace("**/.waymark/open/\n", "");
  const earlier = before.replace("**/.waymark/runs/\n", "");
  for (const text of [latest, last, newest, before, earlier]) {
    bench.write(".gitignore", text);
    bench.init({});
    expect(bench.read(".gitignore")).toBe(now);
  }
  bench.write(".gitignore", earlier.replace("workflow_state.json\n", ""));
  expect(bench.init({})).toEqual([]);
});

test("a file that init changes is kept as it was", () => {
  const bench = makeBench();
  bench.write(".mcp.json", '{ "mcpServers": { "docs": { "command": "docs" } } }');
  bench.init({ clients: ["claude"] });
  expect(bench.all()[backupPath(bench.root, ".mcp.json")]).toBe('{ "mcpServers": { "docs": { "command": "docs" } } }');
});

test("what a user added after init survives a second run and the undoing", () => {
  const bench = makeBench();
  bench.write(".mcp.json", '{ "mcpServers": { "docs": { "command": "docs" } } }');
  bench.init({ clients: ["claude"] });
  bench.write(".mcp.json", bench.read(".mcp.json").replace("{", '{ "note": "mine",'));
  bench.init({ clients: ["claude"], command: "npx -y waymark" });
  bench.remove();
  expect(bench.read(".mcp.json")).toBe('{ "note": "mine", "mcpServers": { "docs": { "command": "docs" } } }');
});

test("the definitions stay where somebody worked with them, and the configs are undone all the same", () => {
  const bench = makeBench();
  bench.init({ template: "story-bot", clients: ["claude"] });
  bench.write(".waymark/journal/story_bot.jsonl", "{}\n");
  const undone = bench.remove();
  expect(undone).toContain(".mcp.json");
  expect(existsSync(join(bench.root, ".waymark/bots/story_bot/bot_config.json"))).toBe(true);
  expect(existsSync(join(bench.root, ".mcp.json"))).toBe(false);
});

test("what holds the folder is said: the history of work, files of the author's, or both", () => {
  const bench = makeBench();
  bench.init({ template: "story-bot" });
  const kept = (): string | undefined => {
    const start = chooseStart({ root: bench.root, script: "/x", node: "/n", platform: "linux", path: "" });
    const plan = planRemoval({ root: bench.root, home: bench.home, start, hosts: [], onlyHosts: false });
    if ("problem" in plan) throw new Error(plan.problem);
    return plan.changes.find(({ path }) => path === join(bench.root, ".waymark"))?.kept;
  };
  expect(kept()).toBeUndefined();
  bench.write(".waymark/workflows/mine.md", "# Mine\n");
  expect(kept()).toContain("holds files that init did not create: .waymark/workflows/mine.md.");
  bench.write(".waymark/journal/story_bot.jsonl", "{}\n");
  expect(kept()).toMatch(/holds the history of work done here, .*; and files that init did not create: \S+mine\.md\./);
});

test("init is undone in a copy of the project that has no record of it", () => {
  const bench = makeBench();
  bench.init({ template: "story-bot", clients: ["claude", "codex", "zed"] });
  rmSync(recordPath(bench.root));
  bench.remove();
  expect(Object.keys(bench.all())).toEqual([]);
});

test("what is not UTF-8 text is not touched", () => {
  const bench = makeBench();
  writeFileSync(join(bench.root, "AGENTS.md"), Buffer.from([0xff, 0xfe, 0x41]));
  expect(bench.plan({ clients: ["codex"] })).toMatchObject({ problem: expect.stringContaining("UTF-8") });
});
