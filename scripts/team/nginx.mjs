import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { home } from "../set-up.mjs";

/** The nginx of this machine; installed from Debian's packages where that may be done; undefined where none is to be had. */
export function findNginx() {
  const find = () => ["nginx", "/usr/sbin/nginx"].find((name) => spawnSync(name, ["-v"]).status === 0);
  const found = find();
  if (found !== undefined || process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) return found;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const timeout = 120_000;
  spawnSync("apt-get", ["update", "-qq"], { env, timeout });
  spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "nginx-light"], { env, timeout });
  return find();
}

/** An address of this machine that is free now. */
export function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** Starts nginx in front of servers with `deploy/nginx.conf`: only its addresses are changed, and it goes without certificates. */
export async function startNginx(nginx, port, urls) {
  const folder = mkdtempSync(join(tmpdir(), "waymark-nginx-"));
  for (const name of ["body", "proxy", "fastcgi", "uwsgi", "scgi"]) mkdirSync(join(folder, name));
  let at = 0;
  const site = readFileSync(join(home, "deploy/nginx.conf"), "utf8")
    .replaceAll(/server \w+:4319/g, () => `server ${new URL(urls[at++]).host}`)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replace("server_name waymark.example.org;", "server_name 127.0.0.1;")
    .replaceAll(/^ {2}ssl_certificate.*\n/gm, "");
  if (at !== urls.length) throw new Error(`deploy/nginx.conf names ${at} servers, and there are ${urls.length}.`);
  const temporary = ["client_body_temp_path body", "proxy_temp_path proxy", "fastcgi_temp_path fastcgi"];
  const others = ["uwsgi_temp_path uwsgi", "scgi_temp_path scgi", "access_log off"];
  const http = [...temporary, ...others].map((line) => `${line};\n`).join("");
  const main =
    "daemon off; worker_processes 2; pid nginx.pid; error_log error.log warn;\nevents { worker_connections 4096; }\n";
  const user = process.getuid?.() === 0 ? "user root;\n" : "";
  writeFileSync(join(folder, "nginx.conf"), `${user}${main}http {\n${http}${site}}\n`);
  const child = spawn(nginx, ["-p", folder, "-c", join(folder, "nginx.conf")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const answered = await fetch(`${origin}/healthz`).catch(() => undefined);
    if (answered !== undefined) break;
    if (tries > 100 || child.exitCode !== null) throw new Error("nginx does not answer.");
    await wait(50);
  }
  return {
    origin,
    errors: () => readFileSync(join(folder, "error.log"), "utf8"),
    async stop() {
      const gone = new Promise((done) => child.once("exit", done));
      child.kill("SIGQUIT");
      setTimeout(() => child.kill("SIGKILL"), 3000).unref();
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
