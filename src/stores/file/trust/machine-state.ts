import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { closeSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { unlessIoError } from "../../../kit/io-errors.ts";
import { isPathInside } from "../../../kit/is-path-inside.ts";
import { makeFolders } from "../../../kit/make-folders.ts";
import { realPathOrSameSync } from "../../../kit/real-path.ts";
import { tempPath } from "../atomic-file.ts";

/** A user's machine state outside every project: its key and what it has seen of each history. */
export type MachineState = {
  /** This machine's secret key; undefined if it can neither be read nor made. */
  key(): MachineKey | undefined;
  /** Tells if none of it is inside a project area, where it would not be trusted. */
  isOutside(area: string): boolean;
  /** The folder for what was seen. */
  readonly seen: string;
};

/** A key and its public id. */
export type MachineKey = { readonly id: string; mac(...parts: readonly (string | Buffer)[]): string };

/** Opens the machine state in a folder; creates nothing before it is needed. */
export function openMachineState(folder = stateFolder()): MachineState {
  let key: MachineKey | undefined;
  return {
    key() {
      key ??= unlessIoError(() => keyOf(readOrMake(folder)));
      return key;
    },
    isOutside: (area) => !isPathInside(realPathOrSameSync(area), realPathOrSameSync(folder)),
    seen: join(folder, "seen"),
  };
}

/** The folder in a user's home for state that belongs to no project. */
export function stateFolder(): string {
  const home = process.env.XDG_STATE_HOME ?? "";
  return join(isAbsolute(home) ? home : join(homedir(), ".local", "state"), "waymark");
}

/** Reads this machine's secret; the first process creates it atomically. */
function readOrMake(folder: string): Buffer {
  const file = join(folder, "key");
  const known = unlessIoError(() => readSecret(file));
  if (known !== undefined) return known;
  makeFolders(folder, 0o700);
  const temp = tempPath(folder);
  const fd = openSync(temp, "wx", 0o600);
  try {
    writeSync(fd, `${randomBytes(length).toString("hex")}\n`);
  } finally {
    closeSync(fd);
  }
  unlessIoError(() => linkSync(temp, file)); // never over an existing one
  rmSync(temp, { force: true });
  return readSecret(file);
}

function readSecret(file: string): Buffer {
  const secret = Buffer.from(readFileSync(file, "utf8").trim(), "hex");
  if (secret.length !== length) throw Object.assign(new Error(`${file} is not a key`), { code: "EINVAL" });
  return secret;
}

const length = 32;

function keyOf(secret: Buffer): MachineKey {
  const derive = (use: string, bytes: number): Buffer => Buffer.from(hkdfSync("sha256", secret, "", use, bytes));
  const own = derive("waymark mac", length);
  return {
    id: derive("waymark key id", 8).toString("hex"),
    mac(...parts) {
      const mac = createHmac("sha256", own);
      for (const part of parts) mac.update(`${Buffer.byteLength(part)} `).update(part);
      return mac.digest("hex");
    },
  };
}
