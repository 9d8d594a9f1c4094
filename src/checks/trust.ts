import * as z from "zod/v4";

/** Where it is kept what a person has trusted: outside of every project, and believed only where this machine wrote it. */
export type TrustFile = { read(): Promise<string | undefined>; write(text: string): Promise<void> };

/** A command that a person has trusted: what would run, by name, and since when. */
export type Trusted = {
  readonly definition: string;
  readonly name: string;
  readonly run: readonly string[];
  readonly at: string;
};

/** What a person has trusted on this machine. */
export type Trust = {
  has(definition: string): Promise<boolean>;
  add(commands: readonly Trusted[]): Promise<void>;
  /** Takes everything back. */
  revoke(): Promise<void>;
};

/** Opens what is trusted; it is read each time, so that every process goes by the latest. */
export function openTrust(file: TrustFile): Trust {
  const all = async (): Promise<readonly Trusted[]> => parse(await file.read());
  const keep = (commands: readonly Trusted[]): Promise<void> =>
    file.write(`${JSON.stringify({ commands }, null, 2)}\n`);
  return {
    has: async (definition) => (await all()).some((one) => one.definition === definition),
    async add(commands) {
      const known = new Map([...(await all()), ...commands].map((one) => [one.definition, one]));
      await keep([...known.values()]);
    },
    revoke: () => keep([]),
  };
}

function parse(text: string | undefined): readonly Trusted[] {
  try {
    return form.parse(JSON.parse(text ?? "{}")).commands;
  } catch {
    return [];
  }
}

const form = z.object({
  commands: z
    .array(z.object({ definition: z.string(), name: z.string(), run: z.array(z.string()), at: z.string() }))
    .default([]),
});
