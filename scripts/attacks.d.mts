/** An attack that tests try. */
export type Attack = {
  readonly level: string;
  readonly tried: string;
  readonly result: string | undefined;
  readonly tests: readonly string[];
  readonly problems: readonly string[];
};

export function readAttacks(): readonly Attack[];
export function writtenPage(): string;
