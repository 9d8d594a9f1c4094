import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { type Ended, waymark } from "../command-line.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

function runHook(
  args: readonly string[],
  sent: string,
  cwd: string,
  env: Record<string, string> = {},
  leavesOpen = false,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [waymark, "hook", ...args], { cwd, env: { ...process.env, ...env } });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    child.stdin.on("error", () => undefined);
    if (leavesOpen) child.stdin.write(sent);
    else child.stdin.end(sent);
  });
}

it("as built it answers in one line of JSON, and exits with 0 whatever it is sent", async () => {
  const project = makeProject();
  const window = await openWindow(project.root);
  await window.call("story_bot");
  await window.close();
  const said = async (...asked: Parameters<typeof runHook>): Promise<unknown> => {
    const { code, stdout, stderr } = await runHook(...asked);
    expect([code, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout);
  };
  const start = JSON.stringify({ session_id: "s", source: "startup" });
  expect(await said(["claude", "SessionStart"], start, project.root)).toMatchObject({
    hookSpecificOutput: { additionalContext: expect.stringContaining("story_bot.shape.gather_context") },
  });
  expect(await said(["claude", "SessionStart"], start, project.root, {}, true)).toMatchObject({
    hookSpecificOutput: { additionalContext: expect.stringContaining("story_bot.shape.gather_context") },
  });
  expect(await said(["claude", "PreToolUse"], "\0garbage{{{", project.root)).toEqual({});
  expect(await said([], "", project.root)).toEqual({});
  expect(await said(["claude", "SessionStart"], start, "/")).toEqual({});
  // Nothing can be remembered: the session is left alone, and nothing fails.
  const called = JSON.stringify({ session_id: "s", tool_name: "mcp__waymark__story_bot" });
  for (const nowhere of ["/dev/null/x", "/proc/nope"])
    expect(await said(["claude", "PreToolUse"], called, project.root, { XDG_STATE_HOME: nowhere })).toEqual({});
  project.write(".waymark/open/broken.json", "{");
  project.write(".waymark/journal/story_bot.jsonl", "no record\n");
  expect(await said(["claude", "SessionStart"], start, project.root)).toBeTypeOf("object");
});
