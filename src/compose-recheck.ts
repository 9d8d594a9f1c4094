import { basename, dirname, join, relative } from "node:path";
import type { CheckFound } from "./audit/compare-check.ts";
import type { CheckAgain } from "./audit/recheck.ts";
import { checkGitAgain } from "./checks/git/git-again.ts";
import { runAgain } from "./checks/run-again.ts";
import { checksWhenNeeded } from "./compose-checks.ts";
import type { Checks } from "./engine/ports.ts";
import { checkMeaning, nameOf } from "./evidence/check-verdict.ts";
import { type RunPlace, runPlaces } from "./repository/run-places.ts";

type Folders = { readonly definitions: string; readonly projectArea: string };

/** Looks at checks again, each where its walk has its files; `close` ends what still runs. */
export function checksAgain(
  { definitions, projectArea }: Folders,
  onWait: () => void,
): { readonly again: CheckAgain; close(): void } {
  const places = runPlaces();
  const opened = new Map<string, Checks>();
  /** The same command on the same files is run once, however many steps ask for it. */
  const ran = new Map<string, Promise<CheckFound>>();
  /** What is trusted for the project that the definitions are of counts, too: there a command has the pins that were agreed on. */
  const trustedFor = async ({ history }: RunPlace): Promise<readonly string[]> => {
    const home = basename(definitions) === ".waymark" ? dirname(definitions) : definitions;
    const way = relative(await places.inMain(projectArea), history);
    return way.startsWith("..") ? [history] : [history, await places.inMain(join(home, way))];
  };
  const checksIn = async (place: RunPlace): Promise<Checks> => {
    const checks = opened.get(place.area) ?? checksWhenNeeded(place, definitions, await trustedFor(place));
    opened.set(place.area, checks);
    return checks;
  };
  return {
    async again({ desk }, { step, completed, startedAt }, check) {
      const { kind, name, run = desk.desk.session?.run } = desk;
      const place = await places.of(desk.area.area, run);
      const { area } = place;
      const definition = nameOf(checkMeaning(check));
      if (check.kind === "git")
        return { name: check.name, definition, reads: "", ...(await checkGitAgain(area, check, startedAt)) };
      const key = nameOf([area, definition]);
      const { workflow, pass, attempt } = completed;
      const asked = { id: { kind, name, ...(run === undefined ? {} : { run }) }, startedAt, check };
      const checks = await checksIn(place);
      const found = ran.get(key) ?? runAgain(checks, { ...asked, ref: { workflow, pass, step, attempt } }, onWait);
      ran.set(key, found);
      return found;
    },
    close() {
      for (const checks of opened.values()) checks.close();
    },
  };
}
