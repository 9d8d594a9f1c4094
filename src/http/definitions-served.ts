import type { ServerLog } from "./call-log.ts";

/** Which version of its definitions a project is served by: what they say, as one name, and the git commit that is checked out there. */
export type DefinitionsServed = {
  readonly project: string;
  readonly version: string;
  readonly commit?: string | undefined;
};

/** Finds out which versions serve. */
export type LookAtDefinitions = () => Promise<readonly DefinitionsServed[]>;

/** So long, in milliseconds, between two looks: long enough that looking is never a fiftieth of the work. */
const between = 2000;

/** Says in the log which versions of the definitions serve, now and whenever it is another one, off the way of calls; until it is told to stop. */
export function tellVersions(look: LookAtDefinitions, log: ServerLog): () => void {
  const told = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  async function tell(): Promise<void> {
    const from = performance.now();
    for (const { project, version, commit } of await look().catch(() => [])) {
      const now = JSON.stringify([version, commit]);
      if (told.get(project) === now) continue;
      const about = { project, definitions: version, ...(commit === undefined ? {} : { commit }) };
      log.note(told.has(project) ? "Other definitions serve from now on." : "These definitions serve.", about);
      told.set(project, now);
    }
    if (isStopped) return;
    timer = setTimeout(tell, Math.max(between, 50 * (performance.now() - from)));
    timer.unref();
  }
  void tell();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
