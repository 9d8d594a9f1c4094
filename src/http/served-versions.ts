import { defined } from "../kit/defined.ts";
import type { ServerLog } from "./server-log.ts";

/** The version of a project's definitions: their hash, and the git commit checked out there. */
export type DefinitionsServed = {
  readonly project: string;
  readonly version: string;
  readonly commit?: string | undefined;
};

/** Reads the versions of the definitions being served. */
export type ReadVersions = () => Promise<readonly DefinitionsServed[]>;

/** The milliseconds between two looks, so that looking takes little of the time. */
const intervalMs = 2000;

/** Logs the versions of the definitions, now and on every change, until stopped. */
export function logVersions(look: ReadVersions, log: ServerLog): () => void {
  const told = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  async function tell(): Promise<void> {
    const from = performance.now();
    for (const { project, version, commit } of await look().catch(() => [])) {
      const now = JSON.stringify([version, commit]);
      if (told.get(project) === now) continue;
      const about = { project, definitions: version, ...defined({ commit }) };
      log.note(told.has(project) ? "The definitions have changed." : "Serving these definitions.", about);
      told.set(project, now);
    }
    if (isStopped) return;
    timer = setTimeout(tell, Math.max(intervalMs, 50 * (performance.now() - from)));
    timer.unref();
  }
  void tell();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
