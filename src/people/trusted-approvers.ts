import * as z from "zod/v4";
import { parsedJson } from "../kit/json.ts";
import type { Approver } from "./approver.ts";

/** Stores whom a person trusts, one text per definitions folder, outside the project; only texts this machine wrote are trusted. */
export type TrustedFiles = {
  read(place: string): Promise<string | undefined>;
  write(place: string, text: string): Promise<void>;
};

/** A person's decision at a terminal about a key under this name. */
export type ApproverDecision = {
  readonly word: "yes" | "no";
  readonly name: string;
  readonly key: string;
  readonly place: string;
  readonly at: string;
};

/** The approvers trusted on this machine. */
export type TrustedApprovers = {
  /** The latest decision on each approver of one folder. */
  decided(place: string): Promise<readonly ApproverDecision[]>;
  decide(word: ApproverDecision): Promise<void>;
};

/** Opens the decisions; reads them on each call, so that every process sees the latest. */
export function openTrustedApprovers(files: TrustedFiles): TrustedApprovers {
  const decided = async (place: string): Promise<readonly ApproverDecision[]> =>
    parse(await files.read(place)).filter((one) => one.place === place);
  return {
    decided,
    async decide(word) {
      const others = (await decided(word.place)).filter((one) => !isSameApprover(one, word));
      await files.write(word.place, `${JSON.stringify({ approvers: [...others, word] }, null, 2)}\n`);
    },
  };
}

/** The decision on a key as a definitions folder names it; a renamed key is not trusted. */
export function decisionOn(decided: readonly ApproverDecision[], approver: Approver): ApproverDecision | undefined {
  return decided.find((one) => isSameApprover(one, approver));
}

type Named = Pick<Approver, "name" | "key">;

function isSameApprover(one: Named, other: Named): boolean {
  return one.name === other.name && one.key === other.key;
}

function parse(text: string | undefined): readonly ApproverDecision[] {
  return form.safeParse(parsedJson(text ?? "{}")).data?.approvers ?? [];
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
