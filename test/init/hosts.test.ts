import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { stringify as stringifyToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { hosts } from "../../src/hosts/all-hosts.ts";
import type { HostId } from "../../src/hosts/host.ts";
import { applyPlan } from "../../src/hosts/init/apply.ts";
import { removeParts } from "../../src/hosts/init/edit/edit-parts.ts";
import { type Bench, makeBench } from "./bench.ts";
import { dataOf, expectDocumentedFormat, formats } from "./formats.ts";
import { untidyConfigs } from "./untidy-configs.ts";

const ids = hosts.map(({ id }) => id);

type Entry = { readonly command: string; readonly args: readonly string[] };

/** Entries as init wrote them with `--root`, and what is left of each that is not simply today's. */
const earlierEntries: readonly (readonly [(word: string, root: string) => Entry, Entry?])[] = [
  [(word) => ({ command: "node", args: [`${word}/node_modules/waymark/dist/waymark.js`, "serve", "--root", word] })],
  [(_, root) => ({ command: process.execPath, args: [resolve("dist/waymark.js"), "serve", "--root", root] })],
  [() => ({ command: "/gone/node", args: ["/gone/dist/waymark.js", "serve", "--root", "/gone/shop"] })],
  [(word) => ({ command: "ours", args: ["-x", "serve", "--root", word] }), { command: "ours", args: ["-x", "serve"] }],
];

test("every host has a file of its own in src/hosts", () => {
  const files = readdirSync(join(import.meta.dirname, "../../src/hosts"));
  for (const id of ids) expect(files).toContain(`${id}.ts`);
  const all = ["claude", "cursor", "vscode", "codex", "gemini", "windsurf", "zed", "copilot", "opencode", "qwen"];
  expect(ids).toEqual(all);
});

describe.each(ids)("the config of %s", (id) => {
  test("is made where there is none, in the host's documented format", () => {
    const bench = makeBench();
    bench.init({ clients: [id] });
    expectDocumentedFormat(id, bench.root, bench.home);
    const { command, args } = serverIn(bench, id);
    expect(command).toBe("node");
    expect(args).toEqual([
      expect.stringMatching(/^(\.|\$\{workspaceFolder\})\/node_modules\/waymark\/dist\/waymark\.js$/),
      "serve",
    ]);
  });

  test("holds nothing of this machine in what colleagues share, whatever the command", () => {
    for (const command of [undefined, "npx -y waymark"]) {
      const bench = makeBench();
      bench.init({ clients: [id], template: "story-bot", ...(command === undefined ? {} : { command }) });
      for (const [path, text] of Object.entries(bench.all())) {
        if (path.startsWith(bench.home) || path.includes("/.waymark/backups/")) continue;
        for (const own of [bench.root, bench.home, process.execPath, "--root", resolve(".")])
          expect(text.includes(own), `${path}: ${own}`).toBe(false);
      }
    }
  });

  test("written by an earlier init with --root is mended, and taken out when init is undone", () => {
    for (const [written, now] of earlierEntries) {
      const bench = makeBench();
      bench.init({ clients: [id] });
      const { file } = formats[id].at(0) ?? { file: "" };
      const wanted = serverIn(bench, id);
      const [word = ""] = wanted.args[0]?.split("/") ?? [];
      const entry = written(word, bench.root);
      bench.write(file, withEntry(file, bench.read(file), wanted, entry));
      expect(serverIn(bench, id)).toMatchObject(entry);
      bench.init({ clients: [id] });
      expect(serverIn(bench, id)).toEqual(now === undefined ? wanted : { ...wanted, ...now });
      expect(bench.init({ clients: [id] })).toEqual([]);
      bench.write(file, withEntry(file, bench.read(file), serverIn(bench, id), entry));
      bench.remove();
      expect(existsSync(join(bench.root, file)) ? bench.read(file) : "").not.toContain("waymark");
    }
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

  test("starts the project's own copy once there is one, instead of a command that everybody must have", () => {
    const bench = makeBench();
    bench.init({ clients: [id], command: "waymark" });
    expect(serverIn(bench, id).args).toEqual(["serve"]);
    bench.write("node_modules/waymark/dist/waymark.js", "");
    bench.init({ clients: [id] });
    expect(serverIn(bench, id).args[0]).toContain("/node_modules/waymark/dist/waymark.js");
  });

  test("gets a new command where the one it has is not on this machine, and keeps the rest of the entry", () => {
    const bench = makeBench();
    bench.init({ clients: [id], command: "/gone/node /gone/waymark.js" });
    const { file, inHome } = formats[id].at(0) ?? { file: "" };
    const name = inHome ? `~/${file}` : file;
    const kept = id === "codex" ? '\n[mcp_servers.waymark.env]\nKEEP = "me"\n' : "";
    if (kept !== "") bench.write(name, bench.read(name) + kept);
    else bench.write(name, withVariable(bench.read(name), '"KEEP": "me"'));
    bench.init({ clients: [id] });
    expect(serverIn(bench, id)).toMatchObject({ command: "node", env: { KEEP: "me" } });
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
  expect(serverIn(bench, "claude").command).toBe("node");
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
  const found = ["mcpServers", "servers", "mcp_servers", "context_servers", "mcp"].find((key) => key in data) ?? "";
  return Object.fromEntries(Object.entries(data[found] ?? {}).map(([name, server]) => [name, apart(server)]));
}

/** An entry whose command is a list, like those of the other hosts. */
function apart(server: Server): Server {
  const words: unknown = server.command;
  if (!Array.isArray(words)) return server;
  const [command = "", ...args] = words.map(String);
  return { ...server, command, args };
}

function withVariable(text: string, variable: string): string {
  if (text.includes('"env": {')) return text.replace('"env": {', `"env": { ${variable},`);
  return text.replace('"command"', `"env": { ${variable} }, "command"`);
}

/** A config in which our entry has another command, as text. */
function withEntry(file: string, text: string, from: Entry, to: Entry): string {
  if (file === "opencode.json") {
    const list = (line: Entry): string =>
      `"command": [${[line.command, ...line.args].map((word) => JSON.stringify(word)).join(", ")}]`;
    return text.replace(list(from), () => list(to));
  }
  const written = (line: Entry): string[] =>
    file.endsWith(".toml")
      ? [`command = ${JSON.stringify(line.command)}`, stringifyToml({ args: line.args }).trim()]
      : [
          `"command": ${JSON.stringify(line.command)}`,
          `"args": [${line.args.map((arg) => JSON.stringify(arg)).join(", ")}]`,
        ];
  const after = written(to);
  return written(from).reduce((now, words, index) => now.replace(words, () => after[index] ?? ""), text);
}

/** Every byte that was there is still there, in order: without our parts, it is the text as it was. */
function expectKept(bench: Bench, id: HostId, file: string, before: string): void {
  const ours = hosts
    .find((host) => host.id === id)
    ?.files({ ...bench, start: { inProject: () => none, onThisMachine: none } });
  const part = ours?.find(
    ({ path }) => bench.all()[path] === bench.read(file) && path.endsWith(file.replace("~/", "")),
  );
  const without = part === undefined ? { problem: "no such file" } : removeParts(bench.read(file), part);
  expect(without, file).toEqual({ text: isNearlyEmpty(before) ? expect.anything() : before });
}

const none = { command: "", args: [] };

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
