import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../../command-line.ts";
import { runHost } from "../run-host.ts";
import { claude } from "./claude.ts";
import { gemini } from "./gemini.ts";
import { makeWalkedProject } from "./project.ts";
import { qwen } from "./qwen.ts";

/** The hosts that take a slash command without a terminal: all under `npm run hosts`, one under `npm test`. */
const all = [
  { host: claude, typed: "/mcp__waymark__story_bot" },
  { host: gemini, typed: "/story_bot" },
  { host: qwen, typed: "/story_bot" },
];

it.each(process.env.WAYMARK_HOSTS === "all" ? all : all.slice(0, 1))(
  "$host.title has a slash command for the bot itself ($typed)",
  async ({ host, typed }) => {
    const root = await makeWalkedProject();
    const home = await mkdtemp(join(tmpdir(), "waymark-walk-home-"));
    onTestFinished(async () => {
      for (const folder of [root, home]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    });
    const command = `${process.execPath} ${resolve("dist/waymark.js")}`;
    await runCli(["init", "--root", root, "--client", host.client, "--command", command], root);
    const { requests } = await runHost(host, {
      ...{ root, home, mcpCommand: ["none"], prompt: typed },
      // biome-ignore lint/correctness/useYield: the model has nothing to do
      script: async function* () {
        return "That was all.";
      },
    });
    expect(JSON.stringify(requests[0]?.body)).toContain("Call the tool story_bot and follow its instructions.");
  },
);
