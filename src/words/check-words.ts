import type { CheckResult } from "../evidence/check.ts";
import type { Json } from "../evidence/json.ts";

/** How the command of a check ended: with what, after how long, and how its processes were kept together. */
export type Ending = Pick<CheckResult, "exit" | "seconds" | "contained">;

/** How a check ended, as data. */
export function endingOf({ exit, seconds, contained }: Ending): Ending {
  return {
    ...(exit === undefined ? {} : { exit }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(contained === undefined ? {} : { contained }),
  };
}

/** A check in a line: its name, what it came to, and how it ended. */
export function checkText({ name, status, summary, exit, seconds, contained }: ShownResult): string {
  const parts = [
    ...(exit === undefined ? [] : [`exit ${exit}`]),
    ...(seconds === undefined ? [] : [`${seconds} s`]),
    ...(contained === undefined ? [] : [`contained: ${contained}`]),
  ];
  return `${name} ${status}: ${summary}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
}

type ShownResult = { readonly name: string; readonly status: string; readonly summary: string } & {
  readonly [Part in keyof Ending]?: Json | undefined;
};
