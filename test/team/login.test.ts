import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, it, onTestFinished } from "vitest";
import { waymark } from "../command-line.ts";
import { openTerminal, type Terminal } from "../hosts/terminal.ts";
import { reply } from "../people.ts";
import { makeProject } from "../project.ts";
import { workTree } from "./bridging.ts";
import { browser } from "./browsing.ts";
import { servedWithIssuer } from "./issuer.ts";
import { makeToken, startServer } from "./server.ts";

/** A person with a home of their own. */
function home() {
  const folder = mkdtempSync(join(tmpdir(), "waymark-home-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CONFIG_HOME: join(folder, "config"),
    CI: "1",
  };
  const kept = join(folder, "state/waymark/remote");
  return {
    env,
    signIns: () =>
      readdirSync(kept).map((name) => ({
        mode: statSync(join(kept, name)).mode & 0o777,
        text: readFileSync(join(kept, name), "utf8"),
      })),
    rewrite(text: string): void {
      for (const name of readdirSync(kept)) writeFileSync(join(kept, name), text);
    },
    login(url: string): Terminal {
      const terminal = openTerminal({
        command: execPath,
        args: [waymark, "serve", "--remote", url, "--login"],
        cwd: folder,
        env,
      });
      onTestFinished(() => terminal.close());
      return terminal;
    },
    /** An assistant's client, with the bridge as its host starts it. */
    async assistant(url: string): Promise<Client> {
      const client = new Client({ name: "test", version: "1" });
      const transport = new StdioClientTransport({
        command: execPath,
        args: [waymark, "serve", "--remote", url, "--root", workTree({}).root],
        env,
        stderr: "ignore",
      });
      await client.connect(transport);
      onTestFinished(() => client.close());
      return client;
    },
  };
}

it("a person signs in once with a token, which only they can read; a wrong one is not kept", async () => {
  const { root } = makeProject();
  const token = await makeToken(root, "anna", "agent");
  const { url } = await startServer(root);
  const anna = home();
  const wrong = anna.login(url);
  await reply(wrong, "Token for", "wm_wrong");
  await wrong.sees("does not know this token");
  await wrong.ends();
  await expect(anna.assistant(url)).rejects.toThrow(/--login/);
  const right = anna.login(url);
  await reply(right, "Token for", token);
  await right.sees("Signed in at");
  await right.ends();
  const [kept] = anna.signIns();
  expect(kept?.mode).toBe(0o600);
  const client = await anna.assistant(url);
  const { structuredContent } = await client.callTool({ name: "shape_bot", arguments: {} });
  expect(structuredContent).toMatchObject({ status: "started" });
});

it("a person signs in with the issuer in the browser, and the bridge renews what expires", async () => {
  const { server } = await servedWithIssuer();
  const anna = home();
  const terminal = anna.login(server.url);
  await reply(terminal, "in the browser, or with a token?", "");
  await terminal.sees(/state=/);
  // A long address runs over the edge of the screen.
  const address = terminal.screen().split("Sign in here: ")[1]?.replaceAll("\n", "").split(" ")[0] ?? "";
  const landed = await browser().signIn(address, "anna");
  expect(await landed.text()).toContain("Signed in");
  await terminal.sees("Signed in at");
  await terminal.ends();
  const [kept] = anna.signIns();
  expect(kept?.mode).toBe(0o600);
  // Its token has expired, and the kept one is not even whole.
  const signIn = JSON.parse(kept?.text ?? "");
  expect(signIn.oauth.tokens.refresh_token).toEqual(expect.any(String));
  signIn.oauth.tokens.access_token = `${signIn.oauth.tokens.access_token}x`;
  anna.rewrite(JSON.stringify({ ...signIn, oauth: { ...signIn.oauth, expires: 0 } }));
  const client = await anna.assistant(server.url);
  const { structuredContent } = await client.callTool({ name: "shape_bot", arguments: {} });
  expect(structuredContent).toMatchObject({ status: "started" });
  expect(anna.signIns()[0]?.mode).toBe(0o600);
});
