import type { DefinitionSnapshot } from "../engine/ports/definition-snapshot.ts";
import type { Problem } from "../gates/problem.ts";
import { type JsonPath, lineOfPath } from "./files/json-locations.ts";
import { type FindingCode, findingCodes } from "./finding-codes.ts";
import { displayPath } from "./snapshot/display-path.ts";

/** A problem as a loader finds it, with all that `check` reports about it. */
export type LoaderProblem = Problem & {
  readonly code: FindingCode;
  readonly line: number;
  readonly fix: string;
  readonly edit?: JsonEdit;
};

/** A problem in a parsed JSON value, before its file is known. */
export type JsonProblem = {
  readonly code: FindingCode;
  /** The part it is about; the whole document if absent. */
  readonly at?: JsonPath;
  readonly message: string;
  readonly fix: string;
  /** The edit that fixes it without changing what the engine does. */
  readonly edit?: JsonEdit;
};

/** A value to set in a JSON document, or to remove if there is none. */
export type JsonEdit = { readonly at: JsonPath; readonly value?: string | number | null };

/** Adds file and line to a remark. */
export function locateProblem(
  definitions: DefinitionSnapshot,
  path: string,
  { at = [], ...remark }: JsonProblem,
): LoaderProblem {
  return {
    ...remark,
    file: displayPath(definitions.folder, path),
    line: at.length === 0 ? 1 : lineOfPath(definitions, path, at),
  };
}

/** Builds the problem of a file that cannot be read, with its own line, code and fix. */
export function unreadableProblem(
  definitions: DefinitionSnapshot,
  path: string,
  trouble: Pick<LoaderProblem, "code" | "line" | "fix">,
  message: string,
): LoaderProblem {
  return {
    code: trouble.code,
    line: trouble.line,
    fix: trouble.fix,
    file: displayPath(definitions.folder, path),
    message,
  };
}

/** Formats problems as warnings of a reply; infos are left to `check`. */
export function formatWarnings(problems: readonly LoaderProblem[]): string[] {
  return problems.filter(({ code }) => findingCodes[code].severity !== "info").map(formatWarning);
}

/** Formats one problem as a warning of a reply. */
export function formatWarning({ file, line, message }: Problem): string {
  return `${file}${line === undefined || line === 1 ? "" : `:${line}`}: ${message}.`;
}

/** The remark about a folder that cannot be listed. */
export function unreadableFolderProblem(message: string): JsonProblem {
  return { code: "cannot-be-used", message, fix: "Make it readable, or delete it." };
}

/** The remark about an invalid value that Waymark needs. */
export function wrongValueProblem(key: string, wanted: string): JsonProblem {
  return { code: "wrong-type", at: [key], message: `${key} must be ${wanted}`, fix: `Fix the value of ${key}.` };
}

/** The remark about an invalid value that is ignored. */
export function ignoredValueProblem(key: string, wanted: string): JsonProblem {
  return {
    code: "wrong-type-ignored",
    at: [key],
    message: `${key} must be ${wanted}`,
    fix: "Fix the value or delete it.",
  };
}
