/** The result of a soak. */
export type Soaked = {
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly forks: number;
  readonly histories: number;
};

export function soak(how: {
  readonly clients: number;
  readonly faults: number;
  /** How much is acknowledged between two faults. */
  readonly between: number;
  readonly isBridged?: boolean;
  readonly say?: (line: string) => void;
}): Promise<Soaked>;
