import type { CheckResult } from "../gates/check.ts";
import { defined } from "../kit/defined.ts";
import type { Json } from "../kit/json.ts";

/** The end of a check's command: exit code, duration and containment. */
export type CheckEnding = Pick<CheckResult, "exit" | "seconds" | "contained">;

/** Picks the end of a check from its result. */
export function checkEnding({ exit, seconds, contained }: CheckEnding): CheckEnding {
  return {
    ...defined({ exit, seconds, contained }),
  };
}

/** Renders a check as one line: name, status, summary and how it ended. */
export function checkText({ name, status, summary, exit, seconds, contained }: CheckTextInput): string {
  const parts = [
    ...(exit === undefined ? [] : [`exit ${exit}`]),
    ...(seconds === undefined ? [] : [`${seconds} s`]),
    ...(contained === undefined ? [] : [`contained: ${contained}`]),
  ];
  return `${name} ${status}: ${summary}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
}

type CheckTextInput = { readonly name: string; readonly status: string; readonly summary: string } & {
  readonly [Part in keyof CheckEnding]?: Json | undefined;
};
