import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Team, type Token, type TokenList, tokensOfOneName } from "../../engine/ports/team.ts";
import { defined } from "../../kit/defined.ts";
import { memoryQueue } from "../memory/memory-queue.ts";
import { keyBytes, keyOf } from "../team-values.ts";
import { fileSightings } from "./file-sightings.ts";
import { appendLine, readLines } from "./team-lines.ts";
import { tokensIn } from "./token-lines.ts";

/**
 * The server's own data in the `.waymark/` of its root. Files are only appended to, so that no writer undoes another. One process serves,
 * so it notifies only itself.
 */
export function fileTeam(own: string): Team {
  const file = join(own, "team", "tokens.jsonl");
  const heard = new EventEmitter().setMaxListeners(0);
  const list = (): TokenList => tokensIn(readLines(file));
  const inForce = (name: string): readonly Token[] =>
    list().tokens.filter((token) => token.name === name && token.revokedAt === undefined);
  return {
    tokens: {
      async add(token) {
        if (inForce(token.name).length >= tokensOfOneName) return false;
        appendLine(file, { add: token });
        return inForce(token.name).some(({ hash }) => hash === token.hash); // of concurrent ones, the first count
      },
      async revoke(name, at, hash) {
        const isThere = inForce(name).some((one) => hash === undefined || one.hash === hash);
        if (isThere) appendLine(file, { revoke: name, at, ...defined({ hash }) });
        return isThere;
      },
      list: async () => list(),
    },
    signals: {
      send: async (text) => void heard.emit("signal", text),
      listen(listener) {
        heard.on("signal", listener);
        return () => void heard.off("signal", listener);
      },
    },
    queue: memoryQueue(),
    sightings: fileSightings(join(own, "team", "sightings.json")),
    async key(name) {
      const keys = join(own, "team", "keys.jsonl");
      const find = () => readLines(keys).lines.find((line) => line.name === name);
      if (find() === undefined) appendLine(keys, { name, key: randomBytes(keyBytes).toString("hex") });
      return keyOf(name, Buffer.from(String(find()?.key ?? ""), "hex"), keys);
    },
    ping: async () => void (await stat(dirname(own))),
    close: async () => void heard.removeAllListeners(),
  };
}
