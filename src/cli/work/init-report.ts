import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Host, HostContext } from "../../hosts/host.ts";
import {
  type Change,
  type ChangeAction,
  changeAction,
  type InitPlan,
  writesAnything,
} from "../../hosts/init/change.ts";
import { shortPath } from "../../hosts/init/folders.ts";
import { typedCommand } from "../../hosts/init/installation.ts";
import { provingTemplates } from "../../hosts/init/proving-templates.ts";
import { shortDiff } from "../../hosts/init/short-diff.ts";
import type { Template } from "../../hosts/init/template.ts";
import { packageFolder, startSentences } from "../../hosts/init/template-files.ts";
import type { TestCommand } from "../../hosts/init/tests/test-command.ts";
import { countText } from "../../kit/count-text.ts";
import { defined } from "../../kit/defined.ts";
import { oneLine, paint, print, printJson } from "../terminal/print.ts";

/** The request, and where it applies. */
export type InitReport = HostContext & {
  readonly hosts: readonly Host[];
  /** The template that was added, if any. */
  readonly laid?: Template;
  /** The command that runs the tests, if any. */
  readonly tests?: TestCommand;
  /** The team server, if hosts reach one. */
  readonly remote?: string;
  readonly dryRun?: true;
  readonly remove?: true;
  readonly json?: true;
};

/** Prints what was done or would be done, file by file, and the next steps. */
export function reportInit({ changes }: InitPlan, reported: InitReport): void {
  const { hosts, laid, dryRun = false, remove = false } = reported;
  if (reported.json) {
    printJson(dataOf(changes, reported));
    return;
  }
  if (reported.root !== process.cwd()) print(`The project is ${reported.root}.`);
  const work = changes.filter(writesAnything);
  const kept = changes.filter((change) => changeAction(change) === "kept");
  if (work.length === 0) print("Nothing to change: everything is already set up.");
  else print(...rows(work, reported), ...(dryRun ? work.flatMap((change) => diffOf(change, reported)) : []));
  for (const change of kept.slice(0, maxKeptShown))
    print(paint("yellow", `! ${shortPath(change.path, reported)}: ${change.kept}`));
  if (kept.length > maxKeptShown)
    print(paint("yellow", `! and ${kept.length - maxKeptShown} more files are left unchanged`));
  const { needs } = missingForHosts(reported);
  if (needs !== undefined) print(paint("yellow", `! ${needs}`));
  if (dryRun && work.length > 0) print("", "Nothing was written (--dry-run).");
  if (remove || dryRun || work.length === 0) return;
  const typed = typedCommand(reported.root, join(packageFolder(), "dist/waymark.js"), process);
  const sentence = laid === undefined ? firstSentence(reported.root) : startSentences[laid];
  print("", ...(hosts.length === 0 ? [withoutHost] : hosts.flatMap((host) => nextLines(host, reported))));
  for (const line of testLines(reported)) print(line);
  if (reported.remote !== undefined)
    print(`Each person signs in once, in their own terminal: waymark serve --remote ${reported.remote} --login`);
  if (hosts.length > 0 && sentence !== undefined) print(`Then tell it: ${sentence}`);
  print("To undo this, run waymark init --remove.");
  if (typed !== undefined) print(`The command waymark is not on your PATH: type ${typed} instead.`);
}

/** Returns the sentence by which an assistant starts the first process that the project has. */
function firstSentence(root: string): string | undefined {
  const namesIn = (kind: string): string[] => {
    try {
      return readdirSync(join(root, ".waymark", kind))
        .filter((name) => /^[\p{L}\p{N}]/u.test(name))
        .map((name) => oneLine(name.replace(/\.md$/, "")));
    } catch {
      return [];
    }
  };
  const [bot] = namesIn("bots");
  const [workflow] = namesIn("workflows");
  if (bot !== undefined) return `"Start the ${bot.replaceAll("_", " ")}."`;
  return workflow === undefined ? undefined : `"Start the workflow ${workflow}."`;
}

function nextLines({ title, next, link }: Host, { start }: InitReport): string[] {
  const lines = [`${title}: ${next}`];
  return link === undefined ? lines : [...lines, `  To add it to ${title} for every project: ${link(start)}`];
}

/** Describes whether Waymark runs the tests, and that nothing runs before a person trusts it. */
function testLines({ laid, tests }: InitReport): string[] {
  if (laid === undefined || !provingTemplates.includes(laid)) return [];
  if (tests === undefined)
    return [
      `Waymark does not run your tests yet, so test results are only claimed. To have it run them: waymark init --template ${laid} --tests npm (or pnpm, pytest, go, cargo).`,
    ];
  return [
    `Waymark runs the tests itself ${testMoments[laid]}, once you trust the command: ${paint("bold", "waymark trust")}`,
    `  ${tests.run.join(" ")}`,
    ...(tests.lacks === undefined ? [] : [`  ${tests.lacks}, and run init again.`]),
  ];
}

const testMoments: Readonly<Partial<Record<Template, string>>> = {
  "test-generation": "in the phases that end with a test run",
  "story-bot": "before the tests behavior is completed",
};

const maxKeptShown = 8;
const withoutHost =
  "To add it to an assistant's config: waymark init --client claude (or cursor, vscode, codex, gemini, windsurf, zed, copilot, opencode, qwen).";

/** Returns what the assistants still need to start the server. */
function missingForHosts({ hosts, remove, start: { needs } }: InitReport): { readonly needs?: string } {
  return remove || hosts.length === 0 || needs === undefined ? {} : { needs };
}

/** Formats one line per file, and one line per kind of change for the files of `.waymark/`. */
function rows(work: readonly Change[], reported: InitReport): string[] {
  const isLaid = ({ path }: Change): boolean => shortPath(path, reported).startsWith(".waymark/");
  const actions: readonly ChangeAction[] = ["created", "changed", "removed"];
  return [
    ...actions.flatMap((action) => {
      const files = work.filter((change) => isLaid(change) && changeAction(change) === action).length;
      return files === 0 ? [] : [row(action, reported, `.waymark/ (${countText(files, "file")})`)];
    }),
    ...work
      .filter((change) => !isLaid(change))
      .map((change) => row(changeAction(change), reported, shortPath(change.path, reported))),
  ];
}

const styles = { created: "green", changed: "cyan", removed: "red", kept: "yellow", unchanged: "dim" } as const;

/** The labels of a dry run. */
const dryRunLabels = {
  created: "create",
  changed: "change",
  removed: "remove",
  kept: "keep",
  unchanged: "leave",
} as const;

function row(action: ChangeAction, { dryRun }: InitReport, file: string): string {
  return `${paint(styles[action], (dryRun ? dryRunLabels[action] : action).padEnd(8))} ${file}`;
}

function diffOf(change: Change, reported: InitReport): string[] {
  const file = shortPath(change.path, reported);
  if (file.startsWith(".waymark/")) return [];
  const lines = shortDiff(change.before ?? "", change.after ?? "").map((line) =>
    line.startsWith("+") ? paint("green", line) : line.startsWith("-") ? paint("red", line) : line,
  );
  return ["", paint("bold", file), ...lines];
}

function dataOf(changes: readonly Change[], reported: InitReport): unknown {
  const { root, hosts, dryRun = false, remove = false } = reported;
  return {
    root,
    clients: hosts.map(({ id }) => id),
    dry_run: dryRun,
    remove,
    changed: changes.some(writesAnything),
    ...missingForHosts(reported),
    ...(reported.tests === undefined ? {} : { tests: { tool: reported.tests.tool, run: reported.tests.run } }),
    files: changes.map((change) => ({
      file: shortPath(change.path, reported),
      action: changeAction(change),
      ...defined({ reason: change.kept }),
      ...(dryRun && writesAnything(change) ? { diff: shortDiff(change.before ?? "", change.after ?? "") } : {}),
    })),
  };
}
