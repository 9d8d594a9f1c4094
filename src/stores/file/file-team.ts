import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { closeSync, constants, fdatasyncSync, openSync, writeSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Role, Team, Token } from "../../http/ports.ts";
import { faultCode } from "./faults.ts";
import { readPlain } from "./plain-file.ts";
import { makeFolder, reach } from "./way.ts";

/**
 * What one server keeps of its own, in the `.waymark/` of its root. Every file is only ever appended to, so that nobody
 * takes back what another has written meanwhile. One process serves: what it says to the others it says to itself.
 */
export function fileTeam(own: string): Team {
  const file = join(own, "team", "tokens.jsonl");
  const heard = new EventEmitter().setMaxListeners(0);
  const inForce = (name: string): Token | undefined =>
    readTokens(file).find((token) => token.name === name && token.revokedAt === undefined);
  return {
    tokens: {
      async add(token) {
        if (inForce(token.name) !== undefined) return false;
        appendLine(file, { add: token });
        return inForce(token.name)?.hash === token.hash; // of two that came at once, the first counts
      },
      async revoke(name, at) {
        const isThere = inForce(name) !== undefined;
        if (isThere) appendLine(file, { revoke: name, at });
        return isThere;
      },
      list: async () => readTokens(file),
    },
    signals: {
      send: async (text) => void heard.emit("signal", text),
      listen(listener) {
        heard.on("signal", listener);
        return () => void heard.off("signal", listener);
      },
    },
    async key(name) {
      const keys = join(own, "team", "keys.jsonl");
      const find = (): string | undefined => readLines(keys).find((line) => line.name === name)?.key as string;
      if (find() === undefined) appendLine(keys, { name, key: randomBytes(32).toString("hex") });
      return Buffer.from(find() ?? "", "hex");
    },
    ping: async () => void (await stat(dirname(own))),
    close: async () => void heard.removeAllListeners(),
  };
}

/** What the lines add up to; a name that was revoked may be given again. */
function readTokens(file: string): readonly Token[] {
  const tokens: Token[] = [];
  const indexOf = (name: unknown): number =>
    tokens.findIndex((token) => token.name === name && token.revokedAt === undefined);
  for (const line of readLines(file)) {
    const token = line.add as Token | undefined;
    const revoked = indexOf(line.revoke);
    const [before] = tokens.splice(revoked, revoked < 0 ? 0 : 1);
    if (token !== undefined && indexOf(token.name) < 0) tokens.push({ ...token, role: token.role as Role });
    if (before !== undefined) tokens.push({ ...before, revokedAt: String(line.at) });
  }
  return tokens;
}

/** The whole lines of a file of ours; one that a crash cut short never counted. */
function readLines(file: string): readonly { readonly [key: string]: unknown }[] {
  let text: string;
  try {
    text = readPlain(file).toString("utf8");
  } catch (error) {
    if (faultCode(error) === "ENOENT") return [];
    throw error;
  }
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

function appendLine(file: string, line: object): void {
  makeFolder(dirname(file));
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const fd = reach(file, (at) => openSync(at, flags, 0o600));
  try {
    writeSync(fd, `\n${JSON.stringify(line)}\n`);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
