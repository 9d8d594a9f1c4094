import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Diagnosis, fine, problem, warning } from "../hosts/diagnosis.ts";
import { writesAnything } from "../hosts/init/change.ts";
import { shortPath } from "../hosts/init/folders.ts";
import { historyFiles } from "../hosts/init/history.ts";
import { planHostFile } from "../hosts/init/plan.ts";
import { countText } from "../kit/count-text.ts";
import { Unavailable } from "../kit/unavailable.ts";
import { askGit } from "../repository/git/ask-git.ts";
import { findDotGit } from "../repository/repository.ts";
import { openMachineState, stateFolder } from "../stores/file/trust/machine-state.ts";
import { checkDefinitions, countDefinitions, engineSurroundings, readSnapshot } from "./check-project.ts";
import { listApprovers } from "./list-approvers.ts";
import { listRunners } from "./list-runners.ts";
import type { OpenedWorkplace } from "./open-workplace.ts";
import { readSignIn } from "./remote-sign-in.ts";
import { listCommands } from "./trust-commands.ts";

/** A project to look at, with its places. */
export type DiagnosedProject = {
  readonly root: string;
  readonly projectArea: string;
  readonly home: string;
  readonly workplace: OpenedWorkplace;
  /** True if histories are kept in PostgreSQL. */
  readonly inDatabase: boolean;
};

/** Looks at the definitions, what this machine trusts, git and the store of a project, one part after the other. */
export async function* diagnoseProject(project: DiagnosedProject): AsyncGenerator<readonly Diagnosis[]> {
  const { definitions } = project.workplace;
  if (!existsSync(definitions)) {
    yield [problem("definitions", `${definitions} does not exist.`, "Create it with waymark init.")];
    return;
  }
  const looks = [
    ["definitions", diagnoseDefinitions],
    ["trust", diagnoseTrust],
    ["git", diagnoseGit],
    ["store", diagnoseStore],
  ] as const;
  for (const [part, look] of looks) yield await look(project).catch((fault: Error) => [failed(part, fault)]);
}

/** Looks whether this person can reach the team server that the hosts' entries name. */
export function diagnoseSignIn(remote: string): readonly Diagnosis[] {
  const named = fine("definitions", `They are on the team server ${remote}, with the histories.`);
  const isSignedIn = (process.env.WAYMARK_TOKEN ?? "") !== "" || readSignIn(new URL(remote)) !== undefined;
  const fix = `Run waymark serve --remote ${remote} --login in your own terminal.`;
  return [named, ...(isSignedIn ? [] : [problem("trust", `You are not signed in at ${remote}.`, fix)])];
}

/** A part that could not be looked at. */
function failed(part: Diagnosis["part"], fault: Error): Diagnosis {
  if (fault instanceof Unavailable) return problem(part, fault.message, fault.fix);
  return problem(part, fault.message, "Fix this and run waymark doctor again.");
}

async function diagnoseDefinitions({ root, workplace }: DiagnosedProject): Promise<readonly Diagnosis[]> {
  const snapshot = await readSnapshot(workplace.definitions);
  const surroundings = await engineSurroundings(snapshot, root);
  const { bots, workflows } = countDefinitions(snapshot, surroundings);
  const findings = checkDefinitions(snapshot, surroundings);
  const errors = findings.filter(({ severity }) => severity === "error");
  const warnings = findings.filter(({ severity }) => severity === "warning");
  const counted = `${countText(bots, "bot")}, ${countText(workflows, "phased workflow")}`;
  const fix = "Run waymark check: it names each place and what to do.";
  const [first] = [...errors, ...warnings];
  if (first === undefined && bots + workflows === 0)
    return [problem("definitions", `${workplace.definitions} has no bot and no workflow.`, "Run waymark init.")];
  if (first === undefined) return [fine("definitions", `${counted}, without errors.`)];
  const about = `${countText(errors.length, "error")} and ${countText(warnings.length, "warning")} in ${counted}; the first is in ${first.file}:${first.line}.`;
  return [(errors.length > 0 ? problem : warning)("definitions", about, fix)];
}

async function diagnoseTrust({ root, projectArea, workplace }: DiagnosedProject): Promise<readonly Diagnosis[]> {
  const { definitions } = workplace;
  const areas = [root, projectArea];
  if (!areas.every(openMachineState().isOutside))
    return [
      problem(
        "trust",
        `Waymark keeps your trust in ${stateFolder()}, which is inside the project, so nothing is trusted.`,
        "Set XDG_STATE_HOME to a folder outside the project.",
      ),
    ];
  const [commands, approvers, runners] = await Promise.all([
    listCommands({ definitions, root, projectArea }),
    listApprovers({ definitions, areas }),
    listRunners({ definitions, areas }),
  ]);
  for (const listed of [approvers, runners])
    if ("problem" in listed) return [problem("trust", `${listed.problem}.`, "Fix the file or restore it from git.")];
  const counts = [
    [commands.filter(({ trusted }) => !trusted).length, "command of a check", "commands of checks"],
    ["problem" in approvers ? 0 : approvers.filter(({ trusted }) => !trusted).length, "approver", "approvers"],
    ["problem" in runners ? 0 : runners.filter(({ level }) => level === undefined).length, "runner", "runners"],
  ] as const;
  const open = counts.filter(([count]) => count > 0).map(([count, one, many]) => countText(count, one, many));
  if (open.length === 0) return [fine("trust", "Everything that these definitions need is trusted on this machine.")];
  return [warning("trust", `Not trusted on this machine: ${open.join(", ")}.`, "Run waymark trust in a terminal.")];
}

async function diagnoseGit({ root, home }: DiagnosedProject): Promise<readonly Diagnosis[]> {
  if ((await findDotGit(root)) === undefined)
    return [
      warning("git", `${root} is not in a git repository: checks that ask git fail.`, "Run git init, if you use git."),
    ];
  const own = ["workflow_state.json", "activity_log.json", ".waymark"].flatMap((name) => [name, `**/${name}`]);
  const tracked = await askGit(root, "ls-files", "-ci", "--exclude-standard", "--", ...own);
  if ("failed" in tracked)
    return [warning("git", `git cannot read the repository: ${tracked.failed}.`, "Fix this, or install git.")];
  const [first, ...more] = tracked.text.split("\n").filter((line) => line !== "");
  const lacking = historyFiles(root, undefined).filter((file) => {
    const planned = planHostFile(file, { replace: false, root });
    return "problem" in planned || writesAnything(planned);
  });
  const found = [
    ...lacking.map(({ path }) =>
      warning("git", `${shortPath(path, { root, home })} lacks lines for Waymark's own files.`, "Run waymark init."),
    ),
    ...(first === undefined
      ? []
      : [
          warning(
            "git",
            `git tracks ${countText(more.length + 1, "file")} that should stay on this machine, such as ${first}.`,
            "List them with git ls-files -ci --exclude-standard, and run git rm --cached FILE for each.",
          ),
        ]),
  ];
  return found.length > 0 ? found : [fine("git", "Waymark's own files are ignored as they should be.")];
}

async function diagnoseStore({ workplace, inDatabase }: DiagnosedProject): Promise<readonly Diagnosis[]> {
  let histories = 0;
  for (const { log, area } of await workplace.logs()) {
    const folder = join(area, ".waymark");
    const writable = [folder, area].find((one) => existsSync(one)) ?? dirname(area); // a missing one is made later
    const refused = await access(writable, constants.R_OK | constants.W_OK).catch(() => true);
    if (refused === true)
      return [problem("store", `You cannot write in ${writable}.`, "Give your user read and write access to it.")];
    histories += (await log.streams()).length;
  }
  const where = inDatabase ? "in PostgreSQL" : "in files";
  return [fine("store", `${countText(histories, "history", "histories")} ${where}. waymark verify checks them whole.`)];
}
