import { resolve } from "node:path";
import { type Explained, type ExplainedPhase, explainWorkflow, writeGates } from "../compose-check.ts";
import { isObject, type JsonObject } from "../evidence/json.ts";
import { UserFault } from "./fault.ts";
import { paint, print, printJson } from "./print.ts";

/** Prints what the gates of one phased workflow will ask for, phase by phase, and where each demand stands. */
export function explain(
  type: string,
  place: { readonly definitions: string; readonly root: string },
  options: string | undefined,
  json: boolean,
): void {
  const explained = explainWorkflow(resolve(place.definitions), resolve(place.root), type, optionsIn(options));
  if ("known" in explained) throw new UserFault(unknown(type, explained.known));
  if (explained.closed.length > 0 || explained.needs !== undefined) process.exitCode = 1;
  if (json) printJson(explained);
  else print(...explainLines(explained));
}

/** Writes what the documents of a phased workflow ask for as gate files, and says which. */
export function writeGateFiles(
  type: string,
  place: { readonly definitions: string; readonly root: string },
  json: boolean,
): void {
  const result = writeGates(resolve(place.definitions), resolve(place.root), type, {});
  if ("known" in result) throw new UserFault(unknown(type, result.known));
  if ("refused" in result) throw new UserFault(`Nothing was written: ${plain(result.refused)}.`);
  if (json) printJson(result);
  else
    print(
      ...result.written.map((file) => `wrote ${plain(file)}`),
      ...result.kept.map((file) => paint("dim", `kept ${plain(file)}, which stood there`)),
      "Read them, mend them, and commit them: from now on they are the gates.",
    );
}

function unknown(type: string, names: readonly string[]): string {
  return `There is no workflow ${type}. ${names.length === 0 ? "There are none." : `There are ${names.join(", ")}.`}`;
}

/** The same as lines of text. */
function explainLines(explained: Explained): string[] {
  const { workflow, title, dynamic, needs, closed, phases } = explained;
  const about = title === workflow ? "" : `  ${title}`;
  return [
    `${paint("bold", workflow)}${plain(about)}`,
    ...(dynamic ? [paint("dim", `  its phases come from a task list that a session's options name`)] : []),
    ...(needs === undefined
      ? []
      : [`  Cannot start: ${plain(needs)}. Give them here: --options '{"tasks": "docs/tasks.md"}'`]),
    ...closed.map(
      ({ file, line, message }) => `  ${paint("red", "does not start")}  ${plain(`${file}:${line}  ${message}`)}`,
    ),
    ...phases.flatMap((phase) => ["", ...phaseLines(phase)]),
  ];
}

function phaseLines({ phase, name, tasks, approval, closed, evidence, comparisons }: ExplainedPhase): string[] {
  const counted = tasks === 0 ? "" : `  ${tasks} task${tasks === 1 ? "" : "s"}`;
  const rows = evidence.map(({ field, type, required, rules, file, line }) => [
    field,
    type,
    required ? "required" : "optional",
    rules.join("; "),
    file === undefined ? "" : `${file}:${line}`,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => (row[column] ?? "").length)));
  return [
    `${paint("bold", `Phase ${phase}`)}  ${plain(name)}${paint("dim", counted)}`,
    ...rows.map((row) =>
      `  ${row.map((cell, column) => (column === 4 ? paint("dim", plain(cell)) : plain(cell).padEnd(widths[column] ?? 0))).join("  ")}`.trimEnd(),
    ),
    ...comparisons.map(({ rule, file, line }) =>
      `  ${plain(rule)}  ${paint("dim", file === undefined ? "" : `${plain(file)}:${line}`)}`.trimEnd(),
    ),
    ...(approval === false
      ? []
      : [
          `  ${approvalText(approval)}  ${paint("dim", approval.file === undefined ? "" : `${plain(approval.file)}:${approval.line}`)}`.trimEnd(),
        ]),
    ...(closed ? [paint("red", "  its gate is closed")] : []),
  ];
}

function approvalText({ level, by, count = 1, expires }: Exclude<ExplainedPhase["approval"], false>): string {
  const who = count > 1 ? `${count} people must approve` : "a person must approve";
  const more = [
    ...(level === "relayed" ? [] : [level]),
    ...(by.length === 0 ? [] : [`by ${plain(by.join(", "))}`]),
    ...(expires === undefined ? [] : [`within ${expires}`]),
  ];
  return more.length === 0 ? who : `${who} (${more.join(", ")})`;
}

/** A text in one line: what stands in a file does not move a terminal's cursor. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}

function optionsIn(written: string | undefined): JsonObject {
  if (written === undefined) return {};
  try {
    const value: unknown = JSON.parse(written);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw new UserFault(`--options must be a JSON object, such as '{"tasks": "docs/tasks.md"}'.`);
}
