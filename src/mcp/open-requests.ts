/** The requests that have no reply yet: together they are bounded, however many a client sends at once. */
export type OpenRequests = {
  /** Takes a request in; false where there is no room for it until others have their reply. One alone always has. */
  admit(id: string | number, bytes: number): boolean;
  /** A request has its reply, or nobody waits for it any more. */
  settle(id: unknown): void;
};

/** Begins with none; `most` is how many bytes may wait. */
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
