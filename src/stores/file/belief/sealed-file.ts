import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { replaceFile } from "../disk.ts";
import { unlessFault } from "../faults.ts";
import { type Machine, openMachine, stateFolder } from "./machine.ts";
import { seal, unseal } from "./seal.ts";

/** A small text that this machine keeps for its user, under its own seal: what anybody else wrote there is not read. */
export function sealedFile(
  name: string,
  machine: Machine = openMachine(),
): { read(): Promise<string | undefined>; write(text: string): Promise<void> } {
  const path = join(stateFolder(), name);
  return {
    async read() {
      const bytes = unlessFault(() => readFileSync(path));
      const key = bytes === undefined ? undefined : machine.key();
      const opened = bytes === undefined || key === undefined ? undefined : unseal(key, name, bytes);
      return opened !== undefined && "body" in opened ? opened.body.toString("utf8") : undefined;
    },
    async write(text) {
      const key = machine.key();
      if (key === undefined) throw new Error(`Nothing can be kept in ${stateFolder()}: make it writable.`);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      replaceFile(path, seal(key, name, Buffer.from(text)), dirname(path), { durable: true });
    },
  };
}
