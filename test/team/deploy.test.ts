import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { runCli } from "../command-line.ts";
import { makeProject } from "../project.ts";
import { startServer } from "./server.ts";

const home = join(import.meta.dirname, "../..");
const read = (name: string): string => readFileSync(join(home, "deploy", name), "utf8");

it("the image is built in stages, runs as no root, and its health check tells a server that answers from one that does not", async () => {
  const lines = read("Dockerfile").split("\n");
  expect(lines.filter((line) => line.startsWith("FROM "))).toHaveLength(2);
  expect(lines).toContain("USER node");
  const [, check = ""] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(read("Dockerfile")) ?? [];
  const [command, ...args]: [string, ...string[]] = JSON.parse(check);
  expect(command).toBe("node");
  const { root } = makeProject();
  await runCli(["token", "add", "anna", "--role", "agent", "--root", root]);
  const server = await startServer(root, { http: "0.0.0.0:0", publicUrl: "https://waymark.example.org" });
  const { port } = new URL(server.url);
  const looks = () => statusOf(args.map((arg) => arg.replace(":4319/", `:${port}/`)));
  expect(await looks()).toBe(0);
  await server.close();
  expect(await looks()).toBe(1);
});

/** How a program of Node ends that runs beside the server of this process. */
function statusOf(args: readonly string[]): Promise<number> {
  return new Promise((done) => execFile(process.execPath, args, (error) => done(error === null ? 0 : 1)));
}

it("the compose file names services and files that there are, and the servers that nginx passes to", () => {
  const { services, secrets } = parse(read("compose.yaml"), { merge: true });
  expect(Object.keys(services)).toEqual(["database", "waymark", "waymark2", "waymark3", "proxy"]);
  for (const { depends_on: needed = [], build } of Object.values<Record<string, unknown>>(services)) {
    const names = Array.isArray(needed) ? needed : Object.keys(Object(needed));
    for (const name of names) expect(Object.keys(services)).toContain(name);
    if (build !== undefined) expect(build).toEqual({ context: "..", dockerfile: "deploy/Dockerfile" });
  }
  expect(Object.keys(secrets)).toEqual(services.database.secrets);
  const passed = [...read("nginx.conf").matchAll(/^ {2}server (\w+):4319 max_fails=0;$/gm)].map(([, name]) => name);
  expect(passed).toEqual(["waymark", "waymark2", "waymark3"]);
  expect(existsSync(join(home, "deploy/nginx.conf"))).toBe(true);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

it.runIf(hasSystemd)("systemd finds nothing wrong with the unit", () => {
  const said = execFileSync("systemd-analyze", ["verify", join(home, "deploy/waymark.service")], { encoding: "utf8" });
  expect(said).toBe("");
});
