import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unlessIoError } from "../../../kit/io-errors.ts";
import { replaceFile } from "../atomic-file.ts";
import { type MachineState, openMachineState, stateFolder } from "./machine-state.ts";
import { seal, unseal } from "./seal.ts";

/** A small sealed text of this machine; what others wrote there is ignored. */
export function sealedFile(
  name: string,
  machine: MachineState = openMachineState(),
): { read(): Promise<string | undefined>; write(text: string): Promise<void> } {
  const path = join(stateFolder(), name);
  return {
    async read() {
      const bytes = unlessIoError(() => readFileSync(path));
      const key = bytes === undefined ? undefined : machine.key();
      const opened = bytes === undefined || key === undefined ? undefined : unseal(key, name, bytes);
      return opened !== undefined && "body" in opened ? opened.body.toString("utf8") : undefined;
    },
    async write(text) {
      const key = machine.key();
      if (key === undefined) throw new Error(`Cannot write to ${stateFolder()}: make it writable.`);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      replaceFile(path, seal(key, name, Buffer.from(text)), dirname(path), { durable: true });
    },
  };
}
