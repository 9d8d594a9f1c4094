/** The faults that a store can simulate; rules about the others are skipped. */
export type FaultHooks = {
  /** Kills every window at once, so that everything only in memory is lost. */
  crash?(): Promise<void> | void;
  /** Makes all writes fail until the returned function is called. */
  breakWriting?(): () => void;
  /** True if the store holds nothing in memory and always refuses what it cannot record. */
  readonly neverHolds?: true;
};
