import * as z from "zod/v4";

/** Where it is kept what a person has decided, a text for each project: outside of them, and believed only where this machine wrote it. */
export type TrustFiles = {
  read(place: string): Promise<string | undefined>;
  write(place: string, text: string): Promise<void>;
  clear(): Promise<void>;
};

/** What a person has decided about a command, as they saw it. */
export type Decided = {
  readonly word: "yes" | "no";
  /** Names what would run: the check with its pins. */
  readonly definition: string;
  /** The project that it was decided for; its work trees are one. */
  readonly place: string;
  /** The gate file and the name of the check, by which a changed one is known again. */
  readonly file: string;
  readonly name: string;
  /** What was shown, by label. */
  readonly shown: Readonly<Record<string, string>>;
  /** The scripts behind the command as they were. */
  readonly behind: Readonly<Record<string, string>>;
  readonly at: string;
  /** How it was said. */
  readonly by: "a person at a terminal" | "--yes";
};

/** What was decided on this machine. */
export type Trust = {
  /** Everything about one project, the latest word on each command. */
  decided(place: string): Promise<readonly Decided[]>;
  decide(word: Decided): Promise<void>;
  /** Takes everything back. */
  revoke(): Promise<void>;
};

/** Opens what is trusted; it is read each time, so that every process goes by the latest. */
export function openTrust(files: TrustFiles): Trust {
  const decided = async (place: string): Promise<readonly Decided[]> => {
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

function parse(text: string | undefined): readonly Decided[] {
  try {
    return form.parse(JSON.parse(text ?? "{}")).commands;
  } catch {
    return [];
  }
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
