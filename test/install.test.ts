import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wholeOr } from "./whole.ts";

const home = join(import.meta.dirname, "..");
const managers = join(import.meta.dirname, "hosts/node_modules");
const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const tarball = `waymark-${version}.tgz`;

/** A package manager: how it adds the tarball, how it runs a package's command, and what a project of it has. */
type Manager = {
  readonly name: string;
  readonly program: readonly [string, ...string[]];
  readonly add: readonly string[];
  readonly exec: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** What `init` needs where there is no node_modules folder. */
  readonly init?: readonly string[];
};

const yarn = {
  program: [process.execPath, join(managers, "@yarnpkg/cli-dist/bin/yarn.js")],
  add: ["add", "--dev", `waymark@file:./${tarball}`],
  exec: ["run"],
} as const;
const all: readonly Manager[] = [
  { name: "npm", program: ["npm"], add: ["install", "--save-dev", `./${tarball}`], exec: ["exec", "--"] },
  {
    name: "pnpm",
    program: [process.execPath, join(managers, "pnpm/bin/pnpm.cjs")],
    add: ["add", "--save-dev", `./${tarball}`],
    exec: ["exec"],
  },
  {
    name: "Yarn 1",
    program: [process.execPath, join(managers, "yarn/bin/yarn.js")],
    add: ["add", "--dev", `./${tarball}`],
    exec: ["run"],
  },
  { ...yarn, name: "Yarn 4", files: { "yarn.lock": "", ".yarnrc.yml": "nodeLinker: node-modules\n" } },
  { ...yarn, name: "Yarn 4 with Plug'n'Play", files: { "yarn.lock": "" }, init: ["--vendor"] },
];

let folder: string;

// Five package managers take half a minute: only under `npm run test:all`.
describe.runIf(wholeOr(true, false))("the tarball", () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "waymark-install-"));
    execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: home, stdio: "ignore" });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  test.each(all)(
    "installs in a project with $name, and its server starts as init wrote it",
    async ({ name, program: [program, ...first], add, exec, files = {}, init = [] }) => {
      const root = join(folder, name.replaceAll(/\W/g, "-"));
      mkdirSync(root);
      const own = { "package.json": `{"name": "shop", "version": "1.0.0", "private": true, "license": "MIT"}\n` };
      for (const [file, text] of Object.entries({ ...own, ...files })) writeFileSync(join(root, file), text);
      writeFileSync(join(root, tarball), readFileSync(join(folder, tarball)));
      const run = (...args: readonly string[]): string =>
        execFileSync(program, [...first, ...args], { cwd: root, env: environment(), encoding: "utf8", stdio: "pipe" });
      run(...add);
      run(...exec, "waymark", "init", "--template", "story-bot", "--client", "claude", ...init);
      const { command, args } = JSON.parse(readFileSync(join(root, ".mcp.json"), "utf8")).mcpServers.waymark;
      const client = new Client({ name: "a host", version: "1" });
      await client.connect(new StdioClientTransport({ command, args, cwd: root, stderr: "ignore" }));
      try {
        expect((await client.listTools()).tools.map((tool) => tool.name)).toContain("story_bot");
      } finally {
        await client.close();
      }
    },
  );
});

/** A home folder of its own, and no way to a registry: the package needs nothing but itself. */
function environment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    npm_config_offline: "true",
    npm_config_cache: join(folder, "npm-cache"),
    npm_config_update_notifier: "false",
    YARN_ENABLE_TELEMETRY: "0",
    YARN_ENABLE_NETWORK: "0",
  };
}
