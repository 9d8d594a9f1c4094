import type { Problem } from "../evidence/problem.ts";
import { type FindingCode, findingCodes } from "./codes.ts";
import { type JsonPath, lineIn } from "./json-place.ts";
import { shownIn } from "./shown.ts";

/** A problem as a loader finds it, with everything that `check` says of it. */
export type Flaw = Problem & {
  readonly code: FindingCode;
  readonly line: number;
  readonly fix: string;
  readonly mend?: JsonEdit;
};

/** What a parser has to say of a part of a JSON document, before it is known where the document stands. */
export type Remark = {
  readonly code: FindingCode;
  /** The part that it is about; the whole document where it is left out. */
  readonly at?: JsonPath;
  readonly message: string;
  readonly fix: string;
  /** The edit that mends it without changing what the engine does. */
  readonly mend?: JsonEdit;
};

/** A value to be set in a JSON document, or taken out where there is none. */
export type JsonEdit = { readonly at: JsonPath; readonly value?: string | number | null };

/** Puts a remark into its file, with the line. */
export function flawIn(definitions: string, path: string, { at = [], ...remark }: Remark): Flaw {
  return { ...remark, file: shownIn(definitions, path), line: at.length === 0 ? 1 : lineIn(path, at) };
}

/** The same for what cannot be read at all: its own line, code and fix. */
export function unreadableIn(
  definitions: string,
  path: string,
  trouble: Pick<Flaw, "code" | "line" | "fix">,
  message: string,
): Flaw {
  return { code: trouble.code, line: trouble.line, fix: trouble.fix, file: shownIn(definitions, path), message };
}

/** Problems as a reply says them; what is only untidy is left to `check`. */
export function warningsOf(problems: readonly Flaw[]): string[] {
  return problems.filter(({ code }) => findingCodes[code].severity !== "info").map(warningOf);
}

/** A problem as a reply says it. */
export function warningOf({ file, line, message }: Problem): string {
  return `${file}${line === undefined || line === 1 ? "" : `:${line}`}: ${message}.`;
}

/** The remark on a folder that cannot be listed. */
export function unreadableFolder(message: string): Remark {
  return { code: "cannot-be-used", message, fix: "Give it permissions that let it be read, or delete it." };
}

/** The remark on a value that decides something and is not understood. */
export function wrongValue(key: string, wanted: string): Remark {
  return { code: "wrong-type", at: [key], message: `${key} must be ${wanted}`, fix: `Mend the value of ${key}.` };
}

/** The remark on a value that is not understood and left out. */
export function ignoredValue(key: string, wanted: string): Remark {
  return {
    code: "wrong-type-ignored",
    at: [key],
    message: `${key} must be ${wanted}`,
    fix: "Mend the value, or delete it.",
  };
}
