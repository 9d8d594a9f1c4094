import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { closeSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { liesIn } from "../../../paths/lies-in.ts";
import { realPathOrNamedSync } from "../../../paths/real-path.ts";
import { tempPath } from "../disk.ts";
import { unlessFault } from "../faults.ts";
import { makeFolders } from "../make-folders.ts";

/** What a user's machine keeps outside every project: a key of its own, and what it has seen of each history. */
export type Machine = {
  /** The key that nobody else has; undefined where it can neither be read nor made. */
  key(): MachineKey | undefined;
  /** Whether nothing of it lies in a project area: what lies there is believed of nothing. */
  isOutside(area: string): boolean;
  /** The folder for what was seen. */
  readonly seen: string;
};

/** A key, and what tells it from another without giving it away. */
export type MachineKey = { readonly id: string; mac(...parts: readonly (string | Buffer)[]): string };

/** Opens what this machine keeps in a folder; nothing is made there before it is needed. */
export function openMachine(folder = stateFolder()): Machine {
  let key: MachineKey | undefined;
  return {
    key() {
      key ??= unlessFault(() => keyOf(readOrMake(folder)));
      return key;
    },
    isOutside: (area) => !liesIn(realPathOrNamedSync(area), realPathOrNamedSync(folder)),
    seen: join(folder, "seen"),
  };
}

/** Where we keep, in a user's home, what outlives a program and belongs to no project. */
export function stateFolder(): string {
  const home = process.env.XDG_STATE_HOME ?? "";
  return join(isAbsolute(home) ? home : join(homedir(), ".local", "state"), "waymark");
}

/** The secret of this machine. Whoever is first makes it, whole: everybody else reads that one. */
function readOrMake(folder: string): Buffer {
  const file = join(folder, "key");
  const known = unlessFault(() => readSecret(file));
  if (known !== undefined) return known;
  makeFolders(folder, 0o700);
  const temp = tempPath(folder);
  const fd = openSync(temp, "wx", 0o600);
  try {
    writeSync(fd, `${randomBytes(length).toString("hex")}\n`);
  } finally {
    closeSync(fd);
  }
  unlessFault(() => linkSync(temp, file)); // never over one that stands there
  rmSync(temp, { force: true });
  return readSecret(file);
}

function readSecret(file: string): Buffer {
  const secret = Buffer.from(readFileSync(file, "utf8").trim(), "hex");
  if (secret.length !== length) throw Object.assign(new Error(`${file} is no key`), { code: "EINVAL" });
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
