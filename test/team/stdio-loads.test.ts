import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { waymark } from "../command-line.ts";
import { makeProject } from "../project.ts";

/** Words that stand in one module each, and whose module it is. */
const marks = {
  waymark_http_requests_total: "the metrics of a team's server",
  pg_notify: "the store in PostgreSQL",
  target_session_attrs: "the client of PostgreSQL",
  "Mcp-Session-Id you receive": "sessions over HTTP",
  RequestError: "the HTTP server's listener",
  ERR_JWKS_NO_MATCHING_KEY: "what verifies an issuer's tokens",
  "The connection to the team server broke off": "the bridge",
  "waymark-checkout-": "the runner",
};

it("a server on stdio loads nothing of the server for teams, from its start to its first completed action", async () => {
  const { root } = makeProject();
  const seen = mkdtempSync(join(tmpdir(), "waymark-loaded-"));
  onTestFinished(() => rmSync(seen, { recursive: true, force: true }));
  await workOnce(root, seen);
  const [report = ""] = readdirSync(seen);
  const { result }: { result: { url: string }[] } = JSON.parse(readFileSync(join(seen, report), "utf8"));
  const built = result.flatMap(({ url }) => (url.includes("/dist/") ? [fileURLToPath(url)] : []));
  expect(built.map((file) => basename(file))).toContain("waymark.js");
  const text = built.map((file) => readFileSync(file, "utf8")).join("\n");
  expect(text).toContain("complete_action"); // it is the real thing that was looked at
  expect(Object.entries(marks).filter(([mark]) => text.includes(mark))).toEqual([]);
  const all = readdirSync(join(waymark, "..")).filter((name) => name.endsWith(".js"));
  const whole = all.map((name) => readFileSync(join(waymark, "..", name), "utf8")).join("\n");
  expect(Object.keys(marks).filter((mark) => !whole.includes(mark))).toEqual([]); // what is built has each of them
});

/** Opens and completes an action; Node writes down which modules it loaded. */
async function workOnce(root: string, seen: string): Promise<void> {
  const child = spawn(process.execPath, [waymark, "serve", "--root", root], {
    env: { ...process.env, NODE_V8_COVERAGE: seen },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = createInterface({ input: child.stdout });
  const ask = async (id: number, method: string, params: object): Promise<void> => {
    const answered = new Promise((resolve) => answers.once("line", resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    await answered;
  };
  const ended = new Promise((resolve) => child.once("close", resolve));
  const clientInfo = { name: "t", version: "1" };
  await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  await ask(2, "tools/call", { name: "story_bot", arguments: {} });
  await ask(3, "tools/call", { name: "complete_action", arguments: { confirmation: "yes" } });
  child.stdin.end();
  await ended;
}
