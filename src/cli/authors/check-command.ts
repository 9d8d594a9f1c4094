import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  checkDefinitions,
  countDefinitions,
  countEchoes,
  type DefinitionCounts,
  drawMermaid,
  drawnBehaviors,
  drawText,
  echoDraft,
  engineSurroundings,
  type Finding,
  type FixedFile,
  fixDefinitions,
  type RankedFinding,
  rankFindings,
  readSnapshot,
  type Severity,
} from "../../app/check-project.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { countText } from "../../kit/count-text.ts";
import { oneLine, paint, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, workplaceFor } from "../terminal/workplace-options.ts";
import { countedLine, echo } from "./echo.ts";
import { explain, writeGateFiles } from "./explain.ts";
import { reportFindability } from "./findability.ts";
import { printFindings } from "./print-findings.ts";

export type CheckOptions = Pick<PlaceOptions, "root" | "definitions"> & {
  readonly json?: true;
  readonly compact?: true;
  readonly fix?: true;
  readonly draw?: true | string;
  /** A phased workflow whose gates to explain instead. */
  readonly explain?: string;
  /** A phased workflow whose gates to write as gate files instead. */
  readonly writeGates?: string;
  /** The session options it needs, as JSON. */
  readonly options?: string;
  /** Searches for the standards by their own questions instead. */
  readonly findability?: true;
  /** Fail on lines with a number, a comparison or a condition that are only asked; with `findability`, on missed questions. */
  readonly strict?: true;
};

/** Prints every finding in the definitions with file, line and fix; sets exit code 1 on errors. */
export async function check(file: string | undefined, options: CheckOptions): Promise<void> {
  const { json, fix, draw: form } = options;
  if (form !== undefined && form !== true && form !== "text" && form !== "mermaid") {
    throw new UserError(`--draw ${form} is unknown. Use --draw text or --draw mermaid.`);
  }
  const { definitions } = workplaceFor(options);
  if (file === undefined && !existsSync(definitions)) {
    throw new UserError(`Nothing to check: ${definitions} does not exist. Create it with waymark init.`);
  }
  const snapshot = await readSnapshot(definitions);
  if (options.explain !== undefined) {
    await explain(options.explain, { definitions: snapshot, root: options.root }, options.options, json === true);
    return;
  }
  if (options.writeGates !== undefined) {
    await writeGateFiles(options.writeGates, { definitions: snapshot, root: options.root }, json === true);
    return;
  }
  if (options.findability) return reportFindability(snapshot, json === true, options.strict === true);
  if (file !== undefined) return echo(snapshot, file, options, (now) => findingsIn(now, file, resolve(options.root)));
  if (options.strict) reportLoose(snapshot, json === true);
  const root = resolve(options.root);
  const fixed = fix ? await fixDefinitions(snapshot, await engineSurroundings(snapshot, root)) : [];
  const now = fixed.length === 0 ? snapshot : await readSnapshot(definitions);
  report(options, now, await engineSurroundings(now, root), fixed);
}

/** The findings in one file of the definitions. */
async function findingsIn(
  definitions: DefinitionSnapshot,
  file: string,
  root: string,
): Promise<readonly RankedFinding[]> {
  const all = checkDefinitions(definitions, await engineSurroundings(definitions, root));
  return rankFindings(all.filter((one) => resolve(definitions.folder, "..", one.file) === resolve(file)));
}

/** Names the lines that are only asked although they have a number, a comparison or a condition; any is a failure. */
function reportLoose(snapshot: DefinitionSnapshot, isJson: boolean): void {
  const loose = echoDraft(snapshot).filter(({ isLoose }) => isLoose);
  if (loose.length === 0) return;
  process.exitCode = 1;
  if (isJson) return;
  for (const { file, line, text } of loose)
    print(`${oneLine(file)}:${line}  ${paint("red", "strict")}  only asked: ${oneLine(text)}`);
  print("");
}

function report(
  { json, compact, draw: form }: CheckOptions,
  definitions: DefinitionSnapshot,
  surroundings: Awaited<ReturnType<typeof engineSurroundings>>,
  fixed: readonly FixedFile[],
): void {
  const each = checkDefinitions(definitions, surroundings);
  const findings = rankFindings(each);
  const counts = countBySeverity(each);
  if (counts.error > 0) process.exitCode = 1;
  if (json)
    printJson({
      findings,
      counts,
      checked: countDefinitions(definitions, surroundings),
      mended: fixed,
      prose: countEchoes(definitions),
      behaviors: drawnBehaviors(definitions),
    });
  else if (form !== undefined) draw(definitions, form === "mermaid", counts.error);
  else if (compact) for (const finding of each) print(compactLine(finding));
  else {
    printFixes(fixed);
    printFindings(findings);
    for (const counts of countEchoes(definitions)) print(countedLine(counts));
    print(closingLine(counts, countDefinitions(definitions, surroundings)));
  }
}

type Counts = Readonly<Record<Severity, number>>;

function countBySeverity(findings: readonly Finding[]): Counts {
  const count = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  return { error: count("error"), warning: count("warning"), info: count("info") };
}

function draw(definitions: DefinitionSnapshot, asMermaid: boolean, errors: number): void {
  const behaviors = drawnBehaviors(definitions);
  print(...(asMermaid ? drawMermaid(behaviors) : drawText(behaviors)));
  // A drawing is often redirected to a file, so errors go to stderr.
  if (errors > 0) process.stderr.write(`waymark: ${countText(errors, "error")}. Run waymark check to see them.\n`);
}

/** Formats a finding as one line that CI systems turn into an annotation. */
function compactLine({ file, line, severity, message, code }: Finding): string {
  return oneLine(`${file}:${line}:1: ${severity}: ${message} [${code}]`);
}

function printFixes(fixed: readonly FixedFile[]): void {
  for (const { file, codes, refused } of fixed) {
    if (refused === undefined) print(`fixed ${oneLine(file)}: ${codes.join(", ")}`);
    else print(paint("yellow", oneLine(`could not fix ${file}: ${refused}`)));
  }
  if (fixed.length > 0) print("");
}

function closingLine({ error, warning, info }: Counts, counted: DefinitionCounts): string {
  const { bots, behaviors, actions, rules, workflows, phases, standards } = counted;
  const ofBots = [
    countText(bots, "bot"),
    countText(behaviors, "behavior"),
    countText(actions, "action"),
    countText(rules, "rule"),
  ];
  const phased = [countText(workflows, "phased workflow"), countText(phases, "phase")];
  const checked = [
    ...(bots > 0 || workflows + standards === 0 ? ofBots : []),
    ...(workflows > 0 ? phased : []),
    ...(standards > 0 ? [countText(standards, "standard")] : []),
  ].join(", ");
  if (error + warning + info === 0) return `No problems found: ${checked} checked.`;
  return `${countText(error, "error")}, ${countText(warning, "warning")}, ${info} info in ${checked}.`;
}
