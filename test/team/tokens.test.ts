import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../command-line.ts";
import { makeProject } from "../project.ts";

it("a token is shown once, kept as a hash, listed without it, and revoked", async () => {
  const { root } = makeProject();
  const run = (...args: string[]) => runCli(["token", ...args, "--root", root, "--json"]);
  const added = JSON.parse((await run("add", "claude", "--role", "agent", "--project", "shop")).stdout);
  expect(added).toEqual({ name: "claude", role: "agent", project: "shop", token: expect.stringMatching(/^wm_.{43}$/) });

  const folder = join(root, ".waymark/team");
  const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  expect(kept.join()).not.toContain(added.token);
  expect(statSync(join(folder, "tokens.jsonl")).mode & 0o077).toBe(0);

  const again = await run("add", "claude", "--role", "viewer");
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringContaining("There is a token claude for agent, project shop"),
  ]);
  const listed = (await run("list")).stdout;
  expect(listed).not.toContain(added.token);
  expect(JSON.parse(listed)).toEqual([
    { name: "claude", role: "agent", project: "shop", createdAt: expect.any(String), lastUsedAt: null },
  ]);

  expect((await run("revoke", "claude")).code).toBe(0);
  expect(JSON.parse((await run("list")).stdout)[0].revokedAt).toEqual(expect.any(String));
  expect((await run("revoke", "claude")).code).toBe(1);
  expect((await run("add", "claude", "--role", "viewer")).code).toBe(0);
});

it("names that lead elsewhere, and roles that do not exist, are refused", async () => {
  const { root } = makeProject();
  for (const args of [
    ["../x", "--role", "agent"],
    ["a", "--role", "agent", "--project", ".."],
    ["a", "--role", "root"],
  ])
    expect((await runCli(["token", "add", ...args, "--root", root])).code, args.join(" ")).toBe(1);
  expect((await runCli(["token", "list", "--root", root])).stdout).toContain("There are no tokens");
});
