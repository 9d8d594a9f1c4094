import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../command-line.ts";

const url = "https://waymark.example.com/mcp/shop";

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), "waymark-init-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

it("init --remote makes hosts reach a team server, and lays no definitions", async () => {
  const root = folder();
  const { stdout, code } = await runCli(["init", "--remote", url, "--client", "claude,codex,vscode", "--root", root]);
  expect(code).toBe(0);
  expect(stdout).toContain(`waymark serve --remote ${url} --login`);
  const { mcpServers } = JSON.parse(readFileSync(join(root, ".mcp.json"), "utf8"));
  expect(mcpServers.waymark.args.slice(-3)).toEqual(["serve", "--remote", url]);
  expect(readFileSync(join(root, ".codex/config.toml"), "utf8")).toContain(url);
  expect(readFileSync(join(root, ".vscode/mcp.json"), "utf8")).toContain(url);
  expect(readdirSync(join(root, ".waymark")).filter((name) => name !== "backups")).toEqual([]);
  expect(readFileSync(join(root, ".gitignore"), "utf8")).toContain("**/.waymark/backups/");
  // A shared file holds no secret: each person's sign-in is in their own folder.
  expect(readFileSync(join(root, ".mcp.json"), "utf8")).not.toMatch(/token|authorization/i);
  expect((await runCli(["init", "--remove", "--root", root, "--yes"])).code).toBe(0);
  expect(readdirSync(root)).not.toContain(".mcp.json");
});

it("an earlier entry is changed to the team server, and an address that is none is refused", async () => {
  const root = folder();
  await runCli(["init", "--template", "blank", "--client", "claude", "--root", root, "--yes"]);
  await runCli(["init", "--remote", url, "--client", "claude", "--root", root]);
  expect(JSON.parse(readFileSync(join(root, ".mcp.json"), "utf8")).mcpServers.waymark.args.slice(-2)).toEqual([
    "--remote",
    url,
  ]);
  for (const [wrong, why] of [
    ["ftp://x/mcp", "not the address"],
    ["http://waymark.example.com/mcp", "unencrypted"],
    ["https://waymark.example.com/api", "must end in /mcp"],
  ] as const)
    expect((await runCli(["init", "--remote", wrong, "--root", root])).stderr).toContain(why);
});
