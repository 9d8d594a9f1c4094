import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  type Counted,
  checkDefinitions,
  countDefinitions,
  drawMermaid,
  drawText,
  engineSurroundings,
  type Finding,
  fixDefinitions,
  layOut,
  type Mended,
  proseGates,
  type RankedFinding,
  rankFindings,
  readInside,
  type Severity,
} from "../compose-check.ts";
import { explain, writeGateFiles } from "./explain.ts";
import { UserFault } from "./fault.ts";
import { reportFindability } from "./findability.ts";
import { paint, plain, print, printJson } from "./print.ts";
import { type PlaceOptions, workplaceFor } from "./workplace.ts";

export type CheckOptions = Pick<PlaceOptions, "root" | "definitions"> & {
  readonly json?: true;
  readonly compact?: true;
  readonly fix?: true;
  readonly draw?: true | string;
  /** A phased workflow whose gates are to be explained instead. */
  readonly explain?: string;
  /** A phased workflow whose gates are to be written down as gate files instead. */
  readonly writeGates?: string;
  /** The session options that it needs, as JSON. */
  readonly options?: string;
  /** Asks the standards their own questions instead. */
  readonly findability?: true;
  /** With it: a question that does not find its document among the first three fails. */
  readonly strict?: true;
};

/** Says what is wrong with the definitions, by file and line, and what to do; exits with 1 where something must be mended. */
export async function check(options: CheckOptions): Promise<void> {
  const { json, fix, draw: form } = options;
  if (form !== undefined && form !== true && form !== "text" && form !== "mermaid") {
    throw new UserFault(`--draw ${form} is not known. Use --draw text or --draw mermaid.`);
  }
  const { definitions } = workplaceFor(options);
  if (!existsSync(definitions)) {
    throw new UserFault(`There is nothing to check: ${definitions} does not exist. waymark init makes it.`);
  }
  if (options.explain !== undefined) {
    explain(options.explain, { definitions, root: options.root }, options.options, json === true);
    return;
  }
  if (options.writeGates !== undefined) {
    writeGateFiles(options.writeGates, { definitions, root: options.root }, json === true);
    return;
  }
  if (options.findability) return reportFindability(definitions, json === true, options.strict === true);
  const surroundings = await engineSurroundings(resolve(options.root), definitions);
  const mended = fix ? await fixDefinitions(definitions, surroundings) : [];
  readInside(definitions, () => report(options, definitions, surroundings, mended));
}

function report(
  { json, compact, draw: form }: CheckOptions,
  definitions: string,
  surroundings: Awaited<ReturnType<typeof engineSurroundings>>,
  mended: readonly Mended[],
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
      mended,
      prose: proseGates(definitions),
      behaviors: layOut(definitions),
    });
  else if (form !== undefined) draw(definitions, form === "mermaid", counts.error);
  else if (compact) for (const finding of each) print(compactLine(finding));
  else {
    printMended(mended);
    printFindings(findings);
    printProse(definitions);
    print(closingLine(counts, countDefinitions(definitions, surroundings)));
  }
}

type Counts = Readonly<Record<Severity, number>>;

function countBySeverity(findings: readonly Finding[]): Counts {
  const count = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  return { error: count("error"), warning: count("warning"), info: count("info") };
}

function draw(definitions: string, asMermaid: boolean, errors: number): void {
  const behaviors = layOut(definitions);
  print(...(asMermaid ? drawMermaid(behaviors) : drawText(behaviors)));
  // A drawing is often sent into a file: what is wrong is said beside it.
  if (errors > 0) process.stderr.write(`waymark: ${amount(errors, "error")}; waymark check says which.\n`);
}

/** One line that CI systems turn into an annotation. */
function compactLine({ file, line, severity, message, code }: Finding): string {
  return plain(`${file}:${line}:1: ${severity}: ${message} [${code}]`);
}

const styles = { error: "red", warning: "yellow", info: "dim" } as const;

function printFindings(findings: readonly RankedFinding[]): void {
  for (const { file, line, severity, code, message, fix, fixable, more } of findings) {
    print(`${plain(file)}:${line}  ${paint(styles[severity], severity)}  ${code}  ${plain(message)}`);
    const places = more.slice(0, 3).map((one) => plain(`${one.file}:${one.line}`));
    if (more.length > 0)
      print(`  and ${more.length} more like it: ${places.join(", ")}${more.length > 3 ? ", …" : ""}`);
    print(paint("dim", `  ${plain(fix)}${fixable ? " (--fix does it)" : ""}`));
  }
  if (findings.some(({ more }) => more.length > 3)) print("", "--compact lists every one.");
  if (findings.length > 0) print("");
}

/** One line for each workflow whose author should see its gates as files. */
function printProse(definitions: string): void {
  for (const { workflow, gates } of proseGates(definitions)) {
    const read = `${plain(workflow)}: ${amount(gates, "gate")} read from prose`;
    print(`${read}; waymark check --write-gates ${plain(workflow)} writes what was understood as files.`);
  }
}

function printMended(mended: readonly Mended[]): void {
  for (const { file, codes, refused } of mended) {
    if (refused === undefined) print(`mended ${plain(file)}: ${codes.join(", ")}`);
    else print(paint("yellow", plain(`not mended ${file}: ${refused}`)));
  }
  if (mended.length > 0) print("");
}

function closingLine({ error, warning, info }: Counts, counted: Counted): string {
  const { bots, behaviors, actions, rules, workflows, phases, standards } = counted;
  const ofBots = [amount(bots, "bot"), amount(behaviors, "behavior"), amount(actions, "action"), amount(rules, "rule")];
  const phased = [amount(workflows, "phased workflow"), amount(phases, "phase")];
  const checked = [
    ...(bots > 0 || workflows + standards === 0 ? ofBots : []),
    ...(workflows > 0 ? phased : []),
    ...(standards > 0 ? [amount(standards, "standard")] : []),
  ].join(", ");
  if (error + warning + info === 0) return `Nothing found: ${checked} checked.`;
  return `${amount(error, "error")}, ${amount(warning, "warning")}, ${info} info in ${checked}.`;
}

function amount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
