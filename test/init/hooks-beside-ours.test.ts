import { describe, expect, test } from "vitest";
import { hosts } from "../../src/hosts/all-hosts.ts";
import { type Bench, makeBench } from "./bench.ts";

type Call = Record<string, unknown>;
type Group = { matcher?: string; hooks: Call[] };
type Settings = { hooks: Record<string, Group[]> };

const own: Call = { type: "command", command: "notify-send done" };
const settings = ".claude/settings.json";

/** A project with our hooks in Claude Code's settings, changed by somebody since. */
function changed(change: (settings: Settings) => void): Bench {
  const bench = makeBench();
  bench.init({ clients: ["claude"] });
  const found = JSON.parse(bench.read(settings)) as Settings;
  change(found);
  bench.write(settings, JSON.stringify(found, null, 2));
  return bench;
}

const hooksIn = (bench: Bench): Settings["hooks"] => (JSON.parse(bench.read(settings)) as Settings).hooks;
const callsAt = (bench: Bench, event: string): Call[] => hooksIn(bench)[event]?.flatMap(({ hooks }) => hooks) ?? [];

describe("a hook of somebody's in the same group as ours", () => {
  const beside = (): Bench => changed(({ hooks }) => hooks.Stop?.[0]?.hooks.push(own));

  test("stays where init runs again, also with another command", () => {
    const bench = beside();
    bench.init({ clients: ["claude"] });
    expect(callsAt(bench, "Stop")).toContainEqual(own);
    bench.init({ clients: ["claude"], command: "ours" });
    expect(callsAt(bench, "Stop")).toEqual([expect.objectContaining({ command: "ours hook claude Stop" }), own]);
    expect(hooksIn(bench).Stop).toHaveLength(1);
  });

  test("stays where init is undone, and nothing of ours does", () => {
    const bench = beside();
    bench.remove();
    expect(JSON.parse(bench.read(settings))).toEqual({ hooks: { Stop: [{ hooks: [own] }] } });
  });
});

test("what somebody changed in our own entry stays, but for the command that they ask for", () => {
  const bench = changed(({ hooks }) => {
    const [group] = hooks.PreToolUse ?? [];
    if (group === undefined) throw new Error("no group");
    group.matcher = "Bash";
    Object.assign(group.hooks[0] ?? {}, { timeout: 60 });
  });
  const before = bench.read(settings);
  bench.init({ clients: ["claude"] });
  expect(bench.read(settings)).toBe(before);
  bench.init({ clients: ["claude"], command: "ours" });
  expect(hooksIn(bench).PreToolUse).toEqual([
    { matcher: "Bash", hooks: [{ type: "command", command: "ours hook claude PreToolUse", timeout: 60 }] },
  ]);
});

test("hooks of ours that stand there twice become one", () => {
  const bench = changed(({ hooks }) => {
    const line = (more: Call): Call => ({ type: "command", command: "/gone/waymark hook claude Stop", ...more });
    hooks.Stop = [{ hooks: [own, line({ timeout: 3 })] }, { hooks: [line({})] }, { hooks: [line({}), own] }];
  });
  bench.init({ clients: ["claude"] });
  expect(hooksIn(bench).Stop).toEqual([
    { hooks: [own, expect.objectContaining({ timeout: 3, command: expect.not.stringContaining("/gone") })] },
    { hooks: [own] },
  ]);
});

test("OpenCode's plugin follows the command, and keeps what somebody changed in it", () => {
  const bench = makeBench();
  const plugin = ".opencode/plugin/waymark.js";
  bench.init({ clients: ["opencode"] });
  bench.init({ clients: ["opencode"], command: "ours" });
  expect(bench.read(plugin)).toContain('const command = ["ours","hook","opencode"];');
  bench.write(plugin, bench.read(plugin).replace("if (deny) throw", "if (deny && mine) throw"));
  bench.init({ clients: ["opencode"], command: "theirs" });
  expect(bench.read(plugin)).toContain('const command = ["theirs","hook","opencode"];');
  expect(bench.read(plugin)).toContain("if (deny && mine) throw");
  const plan = bench.plan({ clients: ["opencode"] });
  const change = "changes" in plan ? plan.changes.find(({ path }) => path.endsWith("waymark.js")) : undefined;
  expect(change?.kept).toContain("kept your edited hook for waymark (--command replaces its command)");
});

test("whoever leaves out hooks that stand there already is told that they stay, and how they go", () => {
  const bench = makeBench();
  const clients = hosts.map(({ id }) => id);
  const keptIn = (): readonly string[] => {
    const plan = bench.plan({ clients, noHooks: true });
    if ("problem" in plan) throw new Error(plan.problem);
    return plan.changes.flatMap(({ path, kept }) =>
      kept?.includes("init --remove") ? [path.slice(bench.root.length + 1)] : [],
    );
  };
  expect(keptIn()).toEqual([]);
  bench.init({ clients });
  expect([...keptIn()].sort()).toEqual([
    ".claude/settings.json",
    ".codex/hooks.json",
    ".cursor/hooks.json",
    ".gemini/settings.json",
    ".github/hooks/waymark.json",
    ".opencode/plugin/waymark.js",
    ".qwen/settings.json",
  ]);
});
