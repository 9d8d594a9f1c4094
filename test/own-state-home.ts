import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The tests have a state folder of their own: nothing of theirs is remembered in anybody's home. */
export default function setup(): () => void {
  const home = mkdtempSync(join(tmpdir(), "waymark-state-"));
  process.env.XDG_STATE_HOME = home;
  return () => rmSync(home, { recursive: true, force: true });
}
