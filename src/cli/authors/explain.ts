import { resolve } from "node:path";
import {
  type Explained,
  type ExplainedPhase,
  type ExplainedRoute,
  explainWorkflow,
  writeGates,
} from "../../app/check-project.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { countText } from "../../kit/count-text.ts";
import { type JsonObject, parsedObject } from "../../kit/json.ts";
import { oneLine, paint, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";

/** Prints what the gates of a phased workflow require, phase by phase, with file and line. */
export async function explain(
  type: string,
  place: { readonly definitions: DefinitionSnapshot; readonly root: string },
  options: string | undefined,
  json: boolean,
): Promise<void> {
  const explained = await explainWorkflow(place.definitions, resolve(place.root), type, parseOptions(options));
  if ("known" in explained) throw new UserError(unknownWorkflowText(type, explained.known));
  if (explained.closed.length > 0 || explained.needs !== undefined) process.exitCode = 1;
  if (json) printJson(explained);
  else print(...explainLines(explained));
}

/** Writes the requirements of a phased workflow as gate files, and lists the files. */
export async function writeGateFiles(
  type: string,
  place: { readonly definitions: DefinitionSnapshot; readonly root: string },
  json: boolean,
): Promise<void> {
  const result = await writeGates(place.definitions, resolve(place.root), type, {});
  if ("known" in result) throw new UserError(unknownWorkflowText(type, result.known));
  if ("refused" in result) throw new UserError(`Nothing was written: ${oneLine(result.refused)}.`);
  if (json) printJson(result);
  else
    print(
      ...result.written.map((file) => `wrote ${oneLine(file)}`),
      ...result.kept.map((file) => paint("dim", `kept ${oneLine(file)}, which already existed`)),
      "Review and commit them: they are the gates from now on.",
    );
}

function unknownWorkflowText(type: string, names: readonly string[]): string {
  return `There is no workflow ${type}. ${names.length === 0 ? "There are no workflows." : `Workflows: ${names.join(", ")}.`}`;
}

/** Formats the explanation as lines. */
export function explainLines(explained: Explained): string[] {
  const { workflow, title, dynamic, needs, closed, phases } = explained;
  const about = title === workflow ? "" : `  ${oneLine(title)}`;
  return [
    `${paint("bold", workflow)}${about}`,
    ...(dynamic ? [paint("dim", `  its phases come from a task list named in the session options`)] : []),
    ...(needs === undefined
      ? []
      : [`  Cannot start: ${oneLine(needs)}. Pass them with --options '{"tasks": "docs/tasks.md"}'`]),
    ...closed.map(
      ({ file, line, message }) => `  ${paint("red", "can't start")}  ${oneLine(file)}:${line}  ${oneLine(message)}`,
    ),
    ...phases.flatMap((phase) => ["", ...phaseLines(phase)]),
  ];
}

function phaseLines({ phase, name, tasks, approval, closed, evidence, comparisons, route }: ExplainedPhase): string[] {
  const counted = tasks === 0 ? "" : `  ${countText(tasks, "task")}`;
  const rows = evidence.map(({ field, type, required, rules, file, line }) => [
    field,
    type,
    required ? "required" : "optional",
    rules.join("; "),
    file === undefined ? "" : `${file}:${line}`,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => (row[column] ?? "").length)));
  return [
    `${paint("bold", `Phase ${phase}`)}  ${oneLine(name)}${paint("dim", counted)}`,
    ...rows.map((row) =>
      `  ${row.map((cell, column) => (column === 4 ? paint("dim", oneLine(cell)) : oneLine(cell).padEnd(widths[column] ?? 0))).join("  ")}`.trimEnd(),
    ),
    ...comparisons.map(({ rule, file, line }) =>
      `  ${oneLine(rule)}  ${paint("dim", file === undefined ? "" : `${oneLine(file)}:${line}`)}`.trimEnd(),
    ),
    ...(approval === false
      ? []
      : [
          `  ${approvalText(approval)}  ${paint("dim", approval.file === undefined ? "" : `${oneLine(approval.file)}:${approval.line}`)}`.trimEnd(),
        ]),
    ...(route === null ? [] : routeLines(route)),
    ...(closed ? [paint("red", "  Can't start until this is fixed")] : []),
  ];
}

function routeLines({ when, approval_when: asked, then = [], role, items }: ExplainedRoute): string[] {
  return [
    ...(when === undefined ? [] : [`  passed over unless ${oneLine(when)}`]),
    ...(asked === undefined ? [] : [`  a person is asked unless this is false: ${oneLine(asked)}`]),
    ...then.map((one) => `  then ${oneLine(one)}`),
    ...(role === undefined ? [] : [`  role: ${oneLine(role)}`]),
    ...(items === undefined ? [] : [`  ${oneLine(items)}`]),
  ];
}

function approvalText({ level, by, count = 1, expires }: Exclude<ExplainedPhase["approval"], false>): string {
  const who = count > 1 ? `${count} people must approve` : "a person must approve";
  const more = [
    ...(level === "relayed" ? [] : [level]),
    ...(by.length === 0 ? [] : [`by ${oneLine(by.join(", "))}`]),
    ...(expires === undefined ? [] : [`within ${expires}`]),
  ];
  return more.length === 0 ? who : `${who} (${more.join(", ")})`;
}

function parseOptions(written: string | undefined): JsonObject {
  if (written === undefined) return {};
  const value = parsedObject(written);
  if (value !== undefined) return value;
  throw new UserError(`--options must be a JSON object, such as '{"tasks": "docs/tasks.md"}'.`);
}
