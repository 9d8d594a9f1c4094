import { userInfo } from "node:os";
import {
  type ForgettableRun,
  findForgettable,
  forgetContent,
  forgetWhole,
  type MeantRuns,
  type StayingFile,
} from "../../app/forget-runs.ts";
import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import { countText } from "../../kit/count-text.ts";
import { secondsIn } from "../../kit/duration.ts";
import { askPerson, needTerminal } from "../people/ask-person.ts";
import { oneLine, paint, print } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, parseRunName, personAtTerminal, workplaceFor } from "../terminal/workplace-options.ts";
import { sessionNamed } from "../work/find-session.ts";

export type ForgetOptions = PlaceOptions & {
  readonly run?: string;
  readonly olderThan?: string;
  readonly whole?: true;
  readonly reason: string;
};

/** Erases the content of finished runs, or one run as a whole; only a person at a terminal can, and it is recorded. */
export async function forget(named: string | undefined, options: ForgetOptions): Promise<void> {
  needTerminal("waymark forget needs a terminal, and there is none here. Run it in your own terminal.");
  if (options.reason.trim() === "") throw new UserError("--reason needs the reason, for the record.");
  const workplace = workplaceFor(options);
  try {
    const runs = await chosenRuns(workplace, named, options);
    if (runs.length === 0) return print("There is nothing to forget.");
    announce(runs, options.whole === true);
    if ((await askPerson(`Type ${paint("cyan", confirmationWord)} to erase it: `)) !== confirmationWord) {
      print("Nothing was erased.");
      process.exitCode = 1;
      return;
    }
    for (const run of runs) await forgetOne(workplace, run, options);
  } finally {
    workplace.close();
  }
}

const confirmationWord = "forget";

async function chosenRuns(
  workplace: OpenedWorkplace,
  named: string | undefined,
  { olderThan, whole, run: written }: ForgetOptions,
): Promise<readonly ForgettableRun[]> {
  if ((named === undefined) === (olderThan === undefined))
    throw new UserError("Name a run, or give --older-than TIME, such as 365d.");
  if (named === undefined) {
    if (whole) throw new UserError("--whole needs the name of a run: records are erased one run at a time.");
    const seconds = secondsIn(olderThan);
    if (seconds === undefined) throw new UserError("--older-than needs a time such as 365d.");
    const before = new Date(Date.now() - seconds * 1000).toISOString();
    const all = await findForgettable(workplace, (_, { changedAt }) => changedAt !== null && changedAt < before);
    return all.filter(({ isFinished, isErased }) => isFinished && !isErased);
  }
  const found = await findForgettable(workplace, await runsNamed(workplace, named, parseRunName(written)));
  if (found.length === 0)
    throw new UserError(`There is no run ${oneLine(named).slice(0, 100)}. List them with waymark status.`);
  if (whole && found.some(({ workflow }) => workflow !== undefined))
    throw new UserError(
      `${named} is one behavior of its bot, and they share one history. Name the bot to erase it as a whole.`,
    );
  const parent = found.find(({ id }) => id.kind === "session" && !id.name.includes("/"));
  const own = parent === undefined ? found : [parent];
  const unfinished = own.find(({ isFinished }) => !isFinished);
  if (unfinished !== undefined)
    throw new UserError(`${unfinished.title} is not finished. Finish, end or archive it first.`);
  return found;
}

/** The runs that a name means: a session with its items, a bot's run, or one behavior of it. */
async function runsNamed(workplace: OpenedWorkplace, named: string, run: string | undefined): Promise<MeantRuns> {
  const session = run === undefined ? (await sessionNamed(workplace, named))?.id.name : undefined;
  if (session?.includes("/"))
    throw new UserError(`${session} is an item. Name the session that it belongs to: its items are forgotten with it.`);
  if (session !== undefined)
    return ({ kind, name }) => kind === "session" && (name === session || name.startsWith(`${session}/`));
  const [bot = named, workflow] = named.split(".");
  const isServed = (await workplace.bots()).bots.some(({ name }) => name === bot);
  const meant = run ?? (isServed ? await workplace.runHere(bot) : undefined);
  return (id, { runs }) => {
    if (id.kind !== "bot" || id.name !== bot || id.run !== meant) return false;
    return workflow === undefined || (runs.has(workflow) && workflow);
  };
}

function announce(runs: readonly ForgettableRun[], isWhole: boolean): void {
  print(
    isWhole ? "This erases the records, views, caches and files of:" : "This erases the files that were submitted in:",
  );
  for (const { title, content } of runs) {
    const paths = [...new Set(content.map(({ path }) => path))];
    const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : "";
    const files = paths.length === 0 ? "no files" : `${paths.slice(0, mostNamed).join(", ")}${more}`;
    print(`  ${oneLine(title)}: ${oneLine(files)}`);
  }
  print(
    "",
    isWhole
      ? "A tombstone stays: the run, the number of its records, the last one's hash, and who erased it, when and why."
      : "Their records stay, and say who erased the files, when and why.",
    "It cannot be undone. What was committed to git, exported, backed up or copied elsewhere is beyond this command.",
    "",
  );
}

const mostNamed = 10;

async function forgetOne(workplace: OpenedWorkplace, run: ForgettableRun, options: ForgetOptions): Promise<void> {
  const stamp = { at: new Date().toISOString(), name: userInfo().username };
  const { id: by, client = "" } = personAtTerminal(options);
  const staying = options.whole
    ? await forgetWhole(workplace, run, { ...stamp, reason: options.reason })
    : await forgetContent(workplace, run, { ...stamp, by, client }, options.reason);
  if ("problem" in staying) throw new UserError(`${staying.problem}.`);
  print(`${paint("green", "✓")} ${oneLine(run.title)}: ${options.whole ? "forgotten" : forgottenFiles(run, staying)}`);
  for (const { path, reason } of staying) print(`    ${oneLine(path)} stays: ${reason}`);
}

function forgottenFiles({ content }: ForgettableRun, staying: readonly StayingFile[]): string {
  return `${countText(new Set(content.map(({ path }) => path)).size - staying.length, "file")} erased`;
}
