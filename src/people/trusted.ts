import * as z from "zod/v4";
import type { Approver } from "./approver.ts";

/** Where it is kept whom a person trusts, a text for each definitions folder: outside of the project, and believed only where this machine wrote it. */
export type TrustedFiles = {
  read(place: string): Promise<string | undefined>;
  write(place: string, text: string): Promise<void>;
};

/** What a person at a terminal has said to somebody's key, under just this name. */
export type ApproverDecided = {
  readonly word: "yes" | "no";
  readonly name: string;
  readonly key: string;
  readonly place: string;
  readonly at: string;
};

/** Whom a person trusts on this machine to approve. */
export type TrustedApprovers = {
  /** Everything said about one folder's approvers, the latest word on each. */
  decided(place: string): Promise<readonly ApproverDecided[]>;
  decide(word: ApproverDecided): Promise<void>;
};

/** Opens who is trusted; it is read each time, so that every process goes by the latest. */
export function openTrusted(files: TrustedFiles): TrustedApprovers {
  const decided = async (place: string): Promise<readonly ApproverDecided[]> =>
    parse(await files.read(place)).filter((one) => one.place === place);
  return {
    decided,
    async decide(word) {
      const others = (await decided(word.place)).filter((one) => !isSame(one, word));
      await files.write(word.place, `${JSON.stringify({ approvers: [...others, word] }, null, 2)}\n`);
    },
  };
}

/** The word on a key as a definitions folder names it; one that has another name now was not trusted so. */
export function wordOn(decided: readonly ApproverDecided[], approver: Approver): ApproverDecided | undefined {
  return decided.find((one) => isSame(one, approver));
}

type Named = Pick<Approver, "name" | "key">;

function isSame(one: Named, other: Named): boolean {
  return one.name === other.name && one.key === other.key;
}

function parse(text: string | undefined): readonly ApproverDecided[] {
  try {
    return form.parse(JSON.parse(text ?? "{}")).approvers;
  } catch {
    return [];
  }
}

const form = z.object({
  approvers: z
    .array(
      z.object({
        word: z.enum(["yes", "no"]),
        name: z.string(),
        key: z.string(),
        place: z.string(),
        at: z.string(),
      }),
    )
    .default([]),
});
