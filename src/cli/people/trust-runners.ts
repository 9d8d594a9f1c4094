import { listApprovers, type PeoplePlaces } from "../../app/list-approvers.ts";
import { type ListedRunner, listRunners, projectOf } from "../../app/list-runners.ts";
import {
  type RunnerLevel,
  type RunnerTrustStatement,
  runnerLevels,
  runnerTrustText,
} from "../../gates/result-statement.ts";
import { countText } from "../../kit/count-text.ts";
import { ownKeys } from "../../people/own-keys.ts";
import { signText } from "../../people/runner-key.ts";
import { putRunner } from "../../people/runners-file.ts";
import type { SealedKey } from "../../people/sealed-key.ts";
import { paint, print } from "../terminal/print.ts";
import { openTerminal, type Terminal } from "../terminal/terminal.ts";
import { UserError } from "../terminal/user-error.ts";
import { openKeyOrThrow } from "./choose-key.ts";

/** Shows the runners that no approver has trusted, and lets an approver at a terminal trust each at a level. */
export async function trustRunners(places: PeoplePlaces, isUnattended: boolean): Promise<void> {
  const listed = await listRunnersOrWarn(places);
  const open = listed.filter(({ level }) => level === undefined);
  if (listed.length === 0) return;
  if (open.length === 0) return print(`Every runner is trusted (${listed.length}).`);
  const needs = `${countText(open.length, "runner is", "runners are")} not trusted`;
  if (isUnattended) return print(`${needs}: ${noTerminalText}`);
  const own = await approverHere(places);
  if (own === undefined)
    return print(`${needs}: only an approver's own key can trust one. Create one with waymark approve --enroll NAME.`);
  const terminal = openTerminal(noTerminalText);
  try {
    for (const one of open) await decideRunner(places, one, own, terminal);
  } finally {
    terminal.close();
  }
}

/** Lists the runners of the definitions, or none with a warning if they cannot be read. */
export async function listRunnersOrWarn(places: PeoplePlaces): Promise<readonly ListedRunner[]> {
  const listed = await listRunners(places);
  if (!("problem" in listed)) return listed;
  process.stderr.write(`waymark: ${listed.problem}.\n`);
  return [];
}

/** Formats a runner in one line. */
export function runnerLine({ runner: { name, key }, level, by, problem }: ListedRunner): string {
  const mark = level === undefined ? paint("yellow", "untrusted") : paint("green", "trusted  ");
  return `${mark}  runner ${name}: ${key}${paint("dim", level === undefined ? `  (${problem})` : `  (${level}, trusted by ${by})`)}`;
}

const noTerminalText =
  "Trusting a runner needs an approver's key and a terminal. Run waymark trust in your own terminal.";

/** The key of this person that is an approver's, trusted on this machine. */
async function approverHere(places: PeoplePlaces): Promise<SealedKey | undefined> {
  const listed = await listApprovers(places);
  const trusted = "problem" in listed ? [] : listed.filter((one) => one.trusted);
  return (await ownKeys()).find(({ key }) => trusted.some(({ approver }) => approver.key === key));
}

async function decideRunner(
  { definitions }: PeoplePlaces,
  { runner, problem }: ListedRunner,
  own: SealedKey,
  terminal: Terminal,
): Promise<void> {
  const { name, key, enrolled } = runner;
  terminal.say(
    paint("bold", `runner ${name}`),
    `  key: ${key}`,
    `  enrolled: ${enrolled}`,
    ...(runner.trust === undefined ? [] : [paint("yellow", `  ${problem}`)]),
    "  local: it runs beside an assistant, which may change its files.",
    "  independent: the assistants that it checks cannot reach its machine; it runs on a fresh checkout.",
  );
  const answer = (await terminal.ask("Trust it as local or independent? [local/independent/N] ")).trim().toLowerCase();
  const level = runnerLevels.find((one) => answer !== "" && one.startsWith(answer));
  if (level === undefined) return terminal.say(paint("yellow", "Not trusted: its results do not count.\n"));
  const project = await projectOf(definitions);
  if (project === "")
    throw new UserError("These definitions have no identity, which the trust would name. Run waymark init.");
  const statement = statementFor({ project, runner: name, key, level });
  const privateKey = await openKeyOrThrow(own, terminal, `to trust ${name} as ${level}`);
  const trust = { statement, approver: own.key, signature: signText(runnerTrustText(statement), { privateKey }) };
  const failed = await putRunner(definitions, { ...runner, trust });
  if (failed !== undefined) throw new UserError(failed);
  terminal.say(paint("green", `Trusted as ${level}.\n`));
}

function statementFor(about: {
  readonly project: string;
  readonly runner: string;
  readonly key: string;
  readonly level: RunnerLevel;
}): RunnerTrustStatement {
  return { v: 1, kind: "runner", ...about, at: new Date().toISOString() };
}
