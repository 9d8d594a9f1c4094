import type { CheckQueue, QueuedCheck, RunnerClaim, RunnerNote, WantedCheck } from "../../engine/ports/runners.ts";

type Entry = {
  wanted: WantedCheck;
  claim?: RunnerClaim | undefined;
  until: number;
  note?: RunnerNote | undefined;
  at: number;
};

/** The milliseconds for which a check stays wanted without a new call. */
const wantedMs = 60 * 60 * 1000;

/** The checks that runners are asked for, in this process. */
export function memoryQueue(clock: () => number = Date.now): CheckQueue {
  const entries = new Map<string, Entry>();
  const shown = ({ wanted, claim, until, note }: Entry): QueuedCheck => ({
    ...wanted,
    ...(claim === undefined || until <= clock() ? {} : { claim }),
    ...(note === undefined ? {} : { note }),
  });
  const held = (id: string, nonce: string): Entry | undefined => {
    const entry = entries.get(id);
    return entry?.claim?.nonce === nonce && entry.until > clock() ? entry : undefined;
  };
  return {
    async put(wanted) {
      for (const [id, { at }] of entries) if (at < clock() - wantedMs) entries.delete(id);
      const { claim, until = 0 } = entries.get(wanted.id) ?? {};
      entries.set(wanted.id, { wanted, claim, until, at: clock() });
    },
    async find(id) {
      const entry = entries.get(id);
      return entry === undefined ? undefined : shown(entry);
    },
    list: async (project) => [...entries.values()].filter(({ wanted }) => wanted.project === project).map(shown),
    async claim(id, claim, seconds) {
      const entry = entries.get(id);
      if (
        entry === undefined ||
        (entry.claim !== undefined && entry.claim.nonce !== claim.nonce && entry.until > clock())
      )
        return false;
      Object.assign(entry, { claim, until: clock() + seconds * 1000, note: undefined });
      return true;
    },
    async renew(id, nonce, seconds) {
      const entry = held(id, nonce);
      if (entry !== undefined) entry.until = clock() + seconds * 1000;
      return entry !== undefined;
    },
    async release(id, nonce, note) {
      const entry = held(id, nonce);
      if (entry !== undefined) Object.assign(entry, { claim: undefined, note });
      return entry !== undefined;
    },
    remove: async (id) => void entries.delete(id),
  };
}
