import type { ChildProcess } from "node:child_process";
import { setImmediate as nextLook, setTimeout as pause } from "node:timers/promises";

/** What a command writes, as it is followed. */
export type Followed = {
  /** The end of it, as far as it has come. */
  tail(): string;
  /** It has become more than it may be. */
  readonly flooded: Promise<void>;
  /** Waits for what was written last, which is still on its way when a process ends. */
  drained(): Promise<void>;
};

/** Keeps the end of what a command writes, however much that is, and tells when it is too much. */
export function follow(child: ChildProcess, mostBytes: number): Followed {
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
  /** Who escaped with the pipe in hand is not waited for: counted in looks at the pipe, since time says nothing on a busy machine. */
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
