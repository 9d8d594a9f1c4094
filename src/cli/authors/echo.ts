import {
  type EchoCounts,
  type EchoedLine,
  echoPage,
  type RankedFinding,
  readSnapshot,
  rewritePage,
} from "../../app/check-project.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { countText } from "../../kit/count-text.ts";
import { oneLine, paint, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { printFindings } from "./print-findings.ts";

/** How `waymark check FILE` reports and what it changes. */
export type EchoOptions = { readonly json?: true; readonly fix?: true; readonly strict?: true };

/** Prints a page line by line, as Waymark reads it, and what is wrong with it; with `fix` it writes the rewrites. */
export async function echo(
  snapshot: DefinitionSnapshot,
  file: string,
  { json, fix, strict }: EchoOptions,
  findingsIn: (definitions: DefinitionSnapshot) => Promise<readonly RankedFinding[]>,
): Promise<void> {
  const before = echoPage(snapshot, file);
  if (before === undefined) throw new UserError(`${file} cannot be read. Name a Markdown page.`);
  const fixable = fix ? before.filter(({ rewrite }) => rewrite !== undefined) : [];
  if (!json)
    print(
      ...fixable.flatMap(({ text, rewrite = "" }) => [
        paint("red", `- ${oneLine(text)}`),
        paint("green", `+ ${oneLine(rewrite)}`),
      ]),
    );
  const fixed = fixable.length === 0 ? [] : await rewritePage(file, fixable);
  const now = fixed.length === 0 ? snapshot : await readSnapshot(snapshot.folder);
  const lines = fixed.length === 0 ? before : (echoPage(now, file) ?? before);
  const findings = await findingsIn(now);
  if (json) printJson({ lines, fixed: fixed.length, findings });
  else {
    print(
      ...(fix && fixed.length === 0
        ? ["No line can be rewritten without a guess: name its field in backticks.", ""]
        : []),
      ...(fixed.length === 0 ? [] : [`Rewrote ${countText(fixed.length, "line")} of ${file}.`, ""]),
      ...lines.flatMap(echoedLine),
      "",
    );
    printFindings(findings);
    print(summary(lines));
  }
  const isWrong = findings.some(({ severity }) => severity === "error");
  if (isWrong || (strict && lines.some(({ isLoose }) => isLoose))) process.exitCode = 1;
}

/** Formats a line of a page with how it is read. */
export function echoedLine({ line, kind, text, field, rule, rewrite, hasGate }: EchoedLine): string[] {
  const style = { enforced: "green", approval: "green", asked: "yellow", "not read": "dim" } as const;
  const said = {
    enforced: `${field}: ${rule}`,
    asked: `${field}: ${rule}`,
    approval: "a person must approve",
    "not read":
      hasGate === true
        ? "the phase has a gate file or block, which is its gate"
        : 'not a requirement here; "Must provide" at its start makes it one',
  };
  return [
    `${String(line).padStart(4)}  ${paint(style[kind], kind.padEnd(8))}  ${oneLine(text)}`,
    paint("dim", `                ${oneLine(said[kind])}`),
    ...(rewrite === undefined ? [] : [`                enforced if written: ${oneLine(rewrite)}`]),
    ...(kind === "asked" || (kind === "not read" && hasGate !== true)
      ? hintsFor(text).map((hint) => `                ${hint}`)
      : []),
  ];
}

/** Points to what a gate can do about a line that Markdown cannot enforce. */
function hintsFor(text: string): readonly string[] {
  const command = /`((?:npm|npx|pnpm|yarn|node|deno|bun|make|pytest|python3?|go|cargo|mvn|gradle|dotnet)\s[^`]+)`/.exec(
    text,
  )?.[1];
  const leadsBack = /\b(?:go|goes|return|start|back) (?:back )?(?:to|at|with) (?:phase|step) \d/i.test(text);
  return [
    ...(command === undefined ? [] : [`Waymark can run ${oneLine(command)} itself: see checks in docs/checks.md`]),
    ...(leadsBack ? ["Waymark can lead back itself: see then in docs/routes.md"] : []),
  ];
}

function summary(lines: readonly EchoedLine[]): string {
  const count = (kind: EchoedLine["kind"]): number => lines.filter((line) => line.kind === kind).length;
  const near = lines.filter(({ rewrite }) => rewrite !== undefined).length;
  const fix = near === 0 ? "" : ` waymark check FILE --fix rewrites ${near}.`;
  return `${count("enforced")} enforced, ${count("asked")} asked, ${countText(count("approval"), "approval")}, ${count("not read")} not read.${fix}`;
}

/** Formats the counts of a workflow as one line. */
export function countedLine({ workflow, enforced, asked, "not read": unread, gated }: EchoCounts): string {
  if (gated > 0 && enforced + asked + unread === 0)
    return `${oneLine(workflow)}: gate files say what its phases ask. waymark check --explain ${oneLine(workflow)} shows it.`;
  const beside = gated === 0 ? "" : `; ${countText(gated, "line")} beside a gate file or block, which asks instead`;
  return `${oneLine(workflow)}: ${enforced} enforced, ${asked} asked, ${unread} not read in prose${beside}. waymark check FILE shows each line.`;
}
