import type { ChildProcess } from "node:child_process";
import { setImmediate as nextLook, setTimeout as pause } from "node:timers/promises";

/** The output of a running command. */
export type CommandOutput = {
  /** The end of the output so far. */
  tail(): string;
  /** Resolves when the output exceeds its limit. */
  readonly flooded: Promise<void>;
  /** Waits for the last output, which may still be in the pipe when the process exits. */
  drained(): Promise<void>;
};

/** Keeps the end of a command's output, however long it is, and reports when it exceeds the limit. */
export function followOutput(child: ChildProcess, mostBytes: number): CommandOutput {
  let pieces: Buffer[] = [];
  let kept = 0;
  let written = 0;
  let flood = (): void => {};
  const flooded = new Promise<void>((resolve) => {
    flood = resolve;
  });
  const take = (piece: Buffer): void => {
    written += piece.length;
    kept += piece.length;
    pieces.push(piece);
    if (kept > 4 * tailBytes) {
      pieces = [Buffer.from(Buffer.concat(pieces).subarray(-tailBytes))];
      kept = tailBytes;
    }
    if (written > mostBytes) flood();
  };
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  let isClosed = false;
  child.once("close", () => {
    isClosed = true;
  });
  /** Does not wait for a process that escaped with the pipe: counts reads of the pipe, since time says nothing on a busy machine. */
  const drained = async (): Promise<void> => {
    for (let looks = 0, quiet = 0; !isClosed && looks < 50 && quiet < 5; looks++) {
      const before = written;
      await pause(looks < 5 ? 1 : 10);
      await nextLook();
      quiet = written === before ? quiet + 1 : 0;
    }
  };
  return { flooded, drained, tail: () => Buffer.concat(pieces).subarray(-tailBytes).toString("utf8") };
}

const tailBytes = 32 * 1024;
