import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/** Why file systems of our own cannot be made here; undefined where they can. */
export function cannotMount(): string | undefined {
  if (process.platform !== "linux") return "needs Linux";
  if (process.getuid?.() !== 0) return "needs root, to mount a file system";
  const missing = ["mount", "umount", "mkfs.ext4"].find((tool) => spawnSync(tool, ["--help"]).error !== undefined);
  return missing === undefined ? undefined : `needs ${missing}`;
}

/** Runs a command of the system; throws with what it said where it fails. */
export function run(command: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
}

/** Mounts an image at a folder. */
export function mountImage(image: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  run("mount", "-o", "loop", image, folder);
}
