import * as z from "zod/v4";
import { parsedJson } from "../kit/json.ts";

/** Stores people's decisions, one text per project, outside of it; only texts this machine wrote are trusted. */
export type TrustFiles = {
  read(place: string): Promise<string | undefined>;
  write(place: string, text: string): Promise<void>;
  clear(): Promise<void>;
};

/** A person's decision about a command, as it was shown. */
export type TrustDecision = {
  readonly word: "yes" | "no";
  /** The hash of what would run: the check with its pins. */
  readonly definition: string;
  /** The project it was decided for; its work trees count as one. */
  readonly place: string;
  /** The gate file and check name, by which a changed check is recognized. */
  readonly file: string;
  readonly name: string;
  /** The shown texts, by label. */
  readonly shown: Readonly<Record<string, string>>;
  /** The scripts behind the command at that time. */
  readonly behind: Readonly<Record<string, string>>;
  readonly at: string;
  /** The way the decision was given. */
  readonly by: "a person at a terminal" | "--yes";
};

/** The decisions made on this machine. */
export type CommandTrust = {
  /** The latest decision on each command of a project. */
  decided(place: string): Promise<readonly TrustDecision[]>;
  decide(word: TrustDecision): Promise<void>;
  /** Revokes all decisions. */
  revoke(): Promise<void>;
};

/** Opens the decisions; reads them on each call, so that every process sees the latest. */
export function openCommandTrust(files: TrustFiles): CommandTrust {
  const decided = async (place: string): Promise<readonly TrustDecision[]> => {
    const all = parse(await files.read(place));
    return all.filter((one) => one.place === place);
  };
  return {
    decided,
    async decide(word) {
      const others = (await decided(word.place)).filter(({ definition }) => definition !== word.definition);
      await files.write(word.place, `${JSON.stringify({ commands: [...others, word] }, null, 2)}\n`);
    },
    revoke: () => files.clear(),
  };
}

function parse(text: string | undefined): readonly TrustDecision[] {
  return form.safeParse(parsedJson(text ?? "{}")).data?.commands ?? [];
}

const texts = z.record(z.string(), z.string());

const form = z.object({
  commands: z
    .array(
      z.object({
        word: z.enum(["yes", "no"]),
        definition: z.string(),
        place: z.string(),
        file: z.string(),
        name: z.string(),
        shown: texts,
        behind: texts,
        at: z.string(),
        by: z.enum(["a person at a terminal", "--yes"]),
      }),
    )
    .default([]),
});
