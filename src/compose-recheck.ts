import { basename, dirname, join, relative } from "node:path";
import type { CheckFound } from "./audit/compare-check.ts";
import type { CheckAgain } from "./audit/recheck.ts";
import { type RulesCheck, rulesFound } from "./audit/rules-again.ts";
import { readPlain } from "./checks/files/read-plain.ts";
import { checkGitAgain } from "./checks/git/git-again.ts";
import { checkRules } from "./checks/rules/check-rules.ts";
import { runAgain } from "./checks/run-again.ts";
import { checksWhenNeeded } from "./compose-checks.ts";
import type { Checks } from "./engine/ports.ts";
import { checkMeaning, nameOf } from "./evidence/check-verdict.ts";
import { sha256 } from "./evidence/sha256.ts";
import { liesIn } from "./paths/lies-in.ts";
import { type RunPlace, runPlaces } from "./repository/run-places.ts";
import type { Violation } from "./workflow/events.ts";

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
    const main = await places.inMain(projectArea);
    return liesIn(main, history) ? [history, await places.inMain(join(home, relative(main, history)))] : [history];
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
      if (check.kind === "rules") return rulesAgain(area, check);
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

/** Runs the rules of a step over the files that were on record, as they stand now. */
async function rulesAgain(area: string, check: RulesCheck): Promise<CheckFound> {
  if (check.rules.every(({ checks }) => checks.length === 0)) return rulesFound(check, [], check.files);
  const read = await Promise.all(
    check.files.map(async (file) => ({ ...file, text: await readPlain(area, file.path) })),
  );
  const there = read.flatMap(({ text, ...file }) =>
    text === undefined ? [] : [{ ...file, text, sha256: sha256(text) }],
  );
  const gone = read.flatMap(({ path, text }) => (text === undefined ? [goneViolation(path)] : []));
  const violations = there.length === 0 ? [] : await checkRules(check.rules, there);
  return rulesFound(check, [...gone, ...violations], there);
}

function goneViolation(file: string): Violation {
  return { rule: "content", severity: "error", file, message: "no plain file stands there any more" };
}
