/** The requests without a reply yet, bounded in total however many a client sends. */
export type OpenRequests = {
  /** Admits a request; false if there is no room until others have their reply. A single request always fits. */
  admit(id: string | number, bytes: number): boolean;
  /** Marks a request as answered or cancelled. */
  settle(id: unknown): void;
};

/** Starts with none; `most` is the number of bytes that may wait. */
export function openRequests(most: number): OpenRequests {
  const sizes = new Map<unknown, number>();
  let total = 0;
  return {
    admit(id, bytes) {
      if (total > 0 && total + bytes > most) return false;
      total += bytes - (sizes.get(id) ?? 0);
      sizes.set(id, bytes);
      return true;
    },
    settle(id) {
      total -= sizes.get(id) ?? 0;
      sizes.delete(id);
    },
  };
}
