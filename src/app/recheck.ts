import { basename, dirname, join, relative } from "node:path";
import type { CheckNow } from "../audit/compare-check.ts";
import { type RulesCheck, rulesAsCheck } from "../audit/recheck-rules.ts";
import type { CheckAgain } from "../audit/recheck-walks.ts";
import { readPlain } from "../checks/files/read-plain.ts";
import { recheckGit } from "../checks/git/recheck-git.ts";
import { treeComparer } from "../checks/git/tree-changes.ts";
import { checkRules } from "../checks/rules/check-rules.ts";
import { runCheckAgain } from "../checks/run-check-again.ts";
import type { Checks } from "../engine/ports/checks.ts";
import { canonicalText, checkMeaning } from "../gates/check-verdict.ts";
import { defined } from "../kit/defined.ts";
import { isPathInside } from "../kit/is-path-inside.ts";
import { sha256 } from "../kit/sha256.ts";
import { findRunFolders, type RunFolders } from "../repository/run-folders.ts";
import type { Violation } from "../workflow/events.ts";
import { lazyChecks } from "./wire-checks.ts";

type Folders = { readonly definitions: string; readonly projectArea: string };

/** Reruns checks, each in its walk's own work tree; `close` ends what still runs. */
export function recheckChecks(
  { definitions, projectArea }: Folders,
  onWait: () => void,
): { readonly again: CheckAgain; close(): void } {
  const places = findRunFolders();
  const compare = treeComparer();
  const opened = new Map<string, Checks>();
  /** Runs the same command on the same files only once, however many steps require it. */
  const ran = new Map<string, Promise<CheckNow>>();
  /** Also counts trust for the project of the definitions: the command has the agreed pins there. */
  const trustedFor = async ({ history }: RunFolders): Promise<readonly string[]> => {
    const home = basename(definitions) === ".waymark" ? dirname(definitions) : definitions;
    const main = await places.inMain(projectArea);
    return isPathInside(main, history)
      ? [history, await places.inMain(join(home, relative(main, history)))]
      : [history];
  };
  const checksIn = async (place: RunFolders): Promise<Checks> => {
    const checks = opened.get(place.area) ?? lazyChecks(place, definitions, await trustedFor(place));
    opened.set(place.area, checks);
    return checks;
  };
  return {
    async again({ stream }, { step, completed, since }, check) {
      const { kind, name, run = stream.stream.session?.run } = stream;
      const place = await places.of(stream.area.area, run);
      const { area } = place;
      if (check.kind === "rules") return recheckRules(area, check);
      const definition = canonicalText(checkMeaning(check));
      if (check.kind === "git")
        return { name: check.name, definition, reads: "", ...(await recheckGit(area, check, since, compare)) };
      const key = canonicalText([area, definition]);
      const { workflow, pass, attempt } = completed;
      const asked = { id: { kind, name, ...defined({ run }) }, check };
      const checks = await checksIn(place);
      const found = ran.get(key) ?? runCheckAgain(checks, { ...asked, ref: { workflow, pass, step, attempt } }, onWait);
      ran.set(key, found);
      return found;
    },
    close() {
      for (const checks of opened.values()) checks.close();
    },
  };
}

/** Reruns the rules of a step over the recorded files as they are now. */
async function recheckRules(area: string, check: RulesCheck): Promise<CheckNow> {
  if (check.rules.every(({ checks }) => checks.length === 0)) return rulesAsCheck(check, [], check.files);
  const read = await Promise.all(
    check.files.map(async (file) => ({ ...file, text: await readPlain(area, file.path) })),
  );
  const there = read.flatMap(({ text, ...file }) =>
    text === undefined ? [] : [{ ...file, text, sha256: sha256(text) }],
  );
  const gone = read.flatMap(({ path, text }) => (text === undefined ? [missingFileViolation(path)] : []));
  const violations = there.length === 0 ? [] : await checkRules(check.rules, there);
  return rulesAsCheck(check, [...gone, ...violations], there);
}

function missingFileViolation(file: string): Violation {
  return { rule: "content", severity: "error", file, message: "it no longer exists" };
}
