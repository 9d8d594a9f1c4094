import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { HostId } from "../../src/hosts/host.ts";
import { hosts } from "../../src/hosts/hosts.ts";
import { applyPlan } from "../../src/init/apply.ts";
import { removeParts } from "../../src/init/edit/edit.ts";
import { type Bench, makeBench } from "./bench.ts";
import { dataOf, expectDocumentedFormat, formats } from "./formats.ts";
import { untidyConfigs } from "./untidy-configs.ts";

const ids = hosts.map(({ id }) => id);

test("every host has a file of its own in src/hosts", () => {
  const files = readdirSync(join(import.meta.dirname, "../../src/hosts"));
  for (const id of ids) expect(files).toContain(`${id}.ts`);
  expect(ids).toEqual(["claude", "cursor", "vscode", "codex", "gemini", "windsurf", "zed"]);
});

describe.each(ids)("the config of %s", (id) => {
  test("is made where there is none, in the host's documented format", () => {
    const bench = makeBench();
    bench.init({ clients: [id] });
    expectDocumentedFormat(id, bench.root, bench.home);
    expect(serverIn(bench, id)).toMatchObject({ command: process.execPath });
    expect(serverIn(bench, id).args.slice(-3)).toEqual(["serve", "--root", bench.root]);
  });

  test("keeps everything that is there, to the byte", () => {
    const bench = untidyBench(id);
    bench.init({ clients: [id] });
    expectDocumentedFormat(id, bench.root, bench.home);
    for (const [file, before] of Object.entries(untidyConfigs[id])) {
      expect(bench.read(file), file).not.toBe(before);
      expectKept(bench, id, file, before);
    }
  });

  test("is not changed by a second run", () => {
    const bench = untidyBench(id);
    bench.init({ clients: [id] });
    const once = bench.all();
    expect(bench.init({ clients: [id] })).toEqual([]);
    expect(bench.all()).toEqual(once);
  });

  test("is only planned by a dry run", () => {
    const bench = untidyBench(id);
    const before = bench.all();
    expect(bench.plan({ clients: [id] })).toHaveProperty("changes");
    expect(bench.all()).toEqual(before);
  });

  test("is restored to the byte when init is undone", () => {
    const bench = untidyBench(id);
    const before = bench.all();
    bench.init({ clients: [id] });
    bench.remove();
    expect(bench.all()).toEqual(before);
  });

  test("is gone without a trace where init made it", () => {
    const bench = makeBench();
    bench.init({ template: "story-bot", clients: [id] });
    bench.remove();
    expect(readdirSync(bench.root)).toEqual([]);
    expect(readdirSync(bench.home)).toEqual([]);
  });

  test("loses our entry only, where somebody changed it since", () => {
    const bench = untidyBench(id);
    bench.init({ clients: [id] });
    for (const file of Object.keys(untidyConfigs[id])) bench.write(file, withNote(file, bench.read(file)));
    bench.remove();
    for (const [file, before] of Object.entries(untidyConfigs[id])) {
      expect(bench.read(file), file).toContain("added later");
      expect(bench.read(file), file).not.toContain("waymark begin");
      if (isConfig(file)) expect(dataOf(file, bench.read(file)), file).toEqual(pruned(dataOf(file, before)));
    }
  });

  test("is not touched, nor anything else, where it is malformed", () => {
    for (const { file, inHome, schema } of formats[id]) {
      if (schema === undefined) continue;
      const bench = untidyBench(id);
      bench.write(inHome ? `~/${file}` : file, '{ "mcpServers": { = \n');
      const before = bench.all();
      const plan = bench.plan({ template: "story-bot", clients: [id] });
      expect(plan).toMatchObject({ problem: expect.stringContaining(file) });
      expect(plan).toMatchObject({ problem: expect.stringMatching(/line 1.*nothing was written/) });
      expect(bench.all()).toEqual(before);
      expect(existsSync(join(bench.root, ".waymark"))).toBe(false);
    }
  });

  test("keeps an entry of the user's own that can start, and says so", () => {
    const bench = makeBench();
    bench.init({ clients: [id], command: "my-waymark" });
    const plan = bench.plan({ clients: [id] });
    expect("changes" in plan && plan.changes.some(({ kept = "" }) => kept.includes("--command"))).toBe(true);
    expect(bench.init({ clients: [id] })).toEqual([]);
    expect(serverIn(bench, id).command).toBe("my-waymark");
  });

  test("gets a new command where the one it has is not on this machine, and keeps the rest of the entry", () => {
    const bench = makeBench();
    bench.init({ clients: [id], command: "/gone/node /gone/waymark.js" });
    const { file, inHome } = formats[id].at(0) ?? { file: "" };
    const name = inHome ? `~/${file}` : file;
    const kept = id === "codex" ? '\n[mcp_servers.waymark.env]\nKEEP = "me"\n' : "";
    if (kept !== "") bench.write(name, bench.read(name) + kept);
    else bench.write(name, bench.read(name).replace(/("command")/, '"env": { "KEEP": "me" }, $1'));
    bench.init({ clients: [id] });
    expect(serverIn(bench, id)).toMatchObject({ command: process.execPath, env: { KEEP: "me" } });
  });
});

test("a file for all projects has an entry for each project that asks for one, and loses its own only", () => {
  const one = makeBench();
  const other = makeBench();
  one.init({ clients: ["windsurf"] });
  const shared = "~/.codeium/windsurf/mcp_config.json";
  other.write(shared, one.read(shared));
  other.init({ clients: ["windsurf"] });
  expect(Object.keys(serversIn(other, shared))).toEqual(["waymark", "waymark-project"]);
  other.remove();
  expect(other.read(shared)).toBe(one.read(shared));
});

test("one host's entries are undone without the others'", () => {
  const bench = makeBench();
  bench.init({ template: "story-bot", clients: ["claude", "cursor"] });
  bench.remove(["cursor"]);
  expect(existsSync(join(bench.root, ".cursor"))).toBe(false);
  expect(serverIn(bench, "claude").command).toBe(process.execPath);
  expect(existsSync(join(bench.root, ".waymark/bots/story_bot/bot_config.json"))).toBe(true);
});

test("a change that fails takes those before it back", () => {
  const bench = makeBench();
  const plan = bench.plan({ template: "blank", clients: ["claude", "cursor"] });
  if ("problem" in plan) throw new Error(plan.problem);
  bench.write(".cursor", "in the way");
  expect(applyPlan(plan).problem).toMatch(/\.cursor.*Nothing was changed/);
  expect(readdirSync(bench.root)).toEqual([".cursor"]);
});

test("a folder that was there before, though empty, is there after the undoing", () => {
  const bench = makeBench();
  mkdirSync(join(bench.root, ".cursor"));
  bench.init({ clients: ["cursor", "claude"] });
  bench.remove();
  expect(readdirSync(bench.root)).toEqual([".cursor"]);
});

function untidyBench(id: HostId): Bench {
  const bench = makeBench();
  for (const [file, text] of Object.entries(untidyConfigs[id])) bench.write(file, text);
  bench.write(".gitignore", "node_modules/\n");
  return bench;
}

type Server = { readonly command: string; readonly args: readonly string[]; readonly env?: unknown };

function serverIn(bench: Bench, id: HostId): Server {
  const { file, inHome } = formats[id].at(0) ?? { file: "" };
  const server = serversIn(bench, inHome ? `~/${file}` : file).waymark;
  if (server === undefined) throw new Error(`${file} has no server`);
  return server;
}

function serversIn(bench: Bench, file: string): Record<string, Server> {
  const data = dataOf(file, bench.read(file)) as Record<string, Record<string, Server>>;
  const found = ["mcpServers", "servers", "mcp_servers", "context_servers"].find((key) => key in data) ?? "";
  return data[found] ?? {};
}

/** Every byte that was there is still there, in order: without our parts, it is the text as it was. */
function expectKept(bench: Bench, id: HostId, file: string, before: string): void {
  const ours = hosts.find((host) => host.id === id)?.files({ ...bench, start: () => ({ command: "", args: [] }) });
  const part = ours?.find(
    ({ path }) => bench.all()[path] === bench.read(file) && path.endsWith(file.replace("~/", "")),
  );
  const without = part === undefined ? { problem: "no such file" } : removeParts(bench.read(file), part);
  expect(without, file).toEqual({ text: isNearlyEmpty(before) ? expect.anything() : before });
}

function isNearlyEmpty(text: string): boolean {
  return text.replaceAll(/\s/g, "").length < 20;
}

function isConfig(file: string): boolean {
  return file.endsWith(".json") || file.endsWith(".toml");
}

function withNote(file: string, text: string): string {
  if (!isConfig(file)) return `${text}# added later\n`;
  return file.endsWith(".toml") ? `# added later\n${text}` : text.replace("{", "{ // added later\n");
}

/** Objects that hold nothing go with our entry. */
function pruned(data: unknown): unknown {
  const isEmpty = JSON.stringify(data) === '{"mcpServers":{}}';
  return isEmpty ? {} : data;
}
