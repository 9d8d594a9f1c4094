import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { giveIdentity, identityFile } from "../../people/identity-file.ts";
import { print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";

/** The files and folders of the original's work that a copy has. */
const brought = [
  "workflow_state.json",
  "activity_log.json",
  ...["journal", "heads", "sessions", "runs", "state", "held", "open"].map((name) => join(".waymark", name)),
];

/** Makes a copy of a project one of its own: a new identity, and the original's histories put away. */
export function separateCopy(root: string, { json, dryRun }: { readonly json?: true; readonly dryRun?: true }): void {
  const definitions = join(root, ".waymark");
  if (!existsSync(definitions)) throw new UserError(`There is no .waymark/ in ${root}. Create one with waymark init.`);
  const kept = join(".waymark", "kept", `copied-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
  const moved = brought.filter((name) => existsSync(join(root, name)));
  if (!dryRun) {
    if (moved.length > 0) mkdirSync(join(root, kept, ".waymark"), { recursive: true });
    for (const name of moved) renameSync(join(root, name), join(root, kept, name));
    rmSync(join(definitions, identityFile), { force: true });
    giveIdentity(definitions);
  }
  if (json) {
    printJson({ root, moved, kept: moved.length === 0 ? null : kept, dry_run: dryRun === true });
    return;
  }
  print(`This project has an identity of its own: .waymark/${identityFile}. Commit it.`);
  if (moved.length === 0) return;
  print(
    `The histories that came with the copy are in ${kept}/. Where this machine has seen them, run waymark verify --accept.`,
  );
}
