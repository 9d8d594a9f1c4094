import { relative } from "node:path";
import type { Host, Place } from "../hosts/host.ts";
import { type Action, actionOf, type Change, isWork, type Plan } from "../init/change.ts";
import { firstWords, type Template } from "../init/kit.ts";
import { provingTemplates } from "../init/proving.ts";
import { shortDiff } from "../init/short-diff.ts";
import type { TestCommand } from "../init/tests/test-command.ts";
import { liesIn } from "../paths/lies-in.ts";
import { paint, print, printJson } from "./print.ts";

/** What was asked for, and where. */
export type Reported = Place & {
  readonly hosts: readonly Host[];
  /** The template that was laid down, if one was. */
  readonly laid?: Template;
  /** How Waymark is to run the tests. */
  readonly tests?: TestCommand;
  readonly dryRun?: true;
  readonly remove?: true;
  readonly json?: true;
};

/** Says what was done, or would be, file by file, and what the person does now. */
export function reportInit({ changes }: Plan, reported: Reported): void {
  const { hosts, laid, dryRun = false, remove = false } = reported;
  if (reported.json) {
    printJson(dataOf(changes, reported));
    return;
  }
  if (reported.root !== process.cwd()) print(`The project is ${reported.root}.`);
  const work = changes.filter(isWork);
  const kept = changes.filter((change) => actionOf(change) === "kept");
  if (work.length === 0) print("There is nothing to change.");
  else print(...rows(work, reported), ...(dryRun ? work.flatMap((change) => diffOf(change, reported)) : []));
  for (const change of kept.slice(0, mostKept))
    print(paint("yellow", `! ${shown(change.path, reported)}: ${change.kept}`));
  if (kept.length > mostKept) print(paint("yellow", `! and ${kept.length - mostKept} more files are kept as they are`));
  const { needs } = neededBy(reported);
  if (needs !== undefined) print(paint("yellow", `! ${needs}`));
  if (dryRun && work.length > 0) print("", "Nothing was written (--dry-run).");
  if (remove || dryRun || work.length === 0) return;
  print("", ...(hosts.length === 0 ? [withoutHost] : hosts.map(({ title, next }) => `${title}: ${next}`)));
  print(...aboutTests(reported));
  if (laid !== undefined) print(`Then say to it: ${firstWords[laid]}`);
  print("To undo it, run init with --remove.");
}

/** Whether Waymark runs the tests itself, what that would be, and that nothing runs before a person has trusted it. */
function aboutTests({ laid, tests }: Reported): string[] {
  if (laid === undefined || !provingTemplates.includes(laid)) return [];
  if (tests === undefined)
    return [
      `Figures of tests are the assistant's word as yet. To have Waymark run the tests: waymark init --template ${laid} --tests npm (or pnpm, pytest, go, cargo).`,
    ];
  return [
    `Waymark runs the tests itself ${where[laid]}, once you have trusted the command: ${paint("bold", "waymark trust")}`,
    `  ${tests.run.join(" ")}`,
    ...(tests.lacks === undefined ? [] : [`  ${tests.lacks}, and run init again.`]),
  ];
}

const where: Readonly<Partial<Record<Template, string>>> = {
  "test-generation": "in the phases that close with a test run",
  "story-bot": "before the behavior tests is done",
};

const mostKept = 8;
const withoutHost =
  "To put it into an assistant's config: waymark init --client claude (or cursor, vscode, codex, gemini, windsurf, zed, copilot, opencode, qwen).";

/** What must be done for the assistants to start it, where they are told how. */
function neededBy({ hosts, remove, start: { needs } }: Reported): { readonly needs?: string } {
  return remove || hosts.length === 0 || needs === undefined ? {} : { needs };
}

/** One line a file; the many files of `.waymark/` in one line for each kind of change. */
function rows(work: readonly Change[], reported: Reported): string[] {
  const isLaid = ({ path }: Change): boolean => shown(path, reported).startsWith(".waymark/");
  const actions: readonly Action[] = ["created", "changed", "removed"];
  return [
    ...actions.flatMap((action) => {
      const files = work.filter((change) => isLaid(change) && actionOf(change) === action).length;
      return files === 0 ? [] : [row(action, reported, `.waymark/ (${files} ${files === 1 ? "file" : "files"})`)];
    }),
    ...work
      .filter((change) => !isLaid(change))
      .map((change) => row(actionOf(change), reported, shown(change.path, reported))),
  ];
}

const styles = { created: "green", changed: "cyan", removed: "red", kept: "yellow", unchanged: "dim" } as const;

/** What would be done, of a trial; else what was. */
const trials = { created: "create", changed: "change", removed: "remove", kept: "keep", unchanged: "leave" } as const;

function row(action: Action, { dryRun }: Reported, file: string): string {
  return `${paint(styles[action], (dryRun ? trials[action] : action).padEnd(8))} ${file}`;
}

function diffOf(change: Change, reported: Reported): string[] {
  const file = shown(change.path, reported);
  if (file.startsWith(".waymark/")) return [];
  const lines = shortDiff(change.before ?? "", change.after ?? "").map((line) =>
    line.startsWith("+") ? paint("green", line) : line.startsWith("-") ? paint("red", line) : line,
  );
  return ["", paint("bold", file), ...lines];
}

function dataOf(changes: readonly Change[], reported: Reported): unknown {
  const { root, hosts, dryRun = false, remove = false } = reported;
  return {
    root,
    clients: hosts.map(({ id }) => id),
    dry_run: dryRun,
    remove,
    changed: changes.some(isWork),
    ...neededBy(reported),
    ...(reported.tests === undefined ? {} : { tests: { tool: reported.tests.tool, run: reported.tests.run } }),
    files: changes.map((change) => ({
      file: shown(change.path, reported),
      action: actionOf(change),
      ...(change.kept === undefined ? {} : { reason: change.kept }),
      ...(dryRun && isWork(change) ? { diff: shortDiff(change.before ?? "", change.after ?? "") } : {}),
    })),
  };
}

function shown(path: string, { root, home }: Reported): string {
  if (liesIn(root, path)) return relative(root, path).replaceAll("\\", "/");
  return liesIn(home, path) ? `~/${relative(home, path).replaceAll("\\", "/")}` : path;
}
