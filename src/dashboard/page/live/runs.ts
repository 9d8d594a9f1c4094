import { computed, signal } from "@preact/signals";
import type { LiveEvent, RunList, RunRow } from "../../api/board-data.ts";
import { type Answer, getJson } from "../api-client.ts";
import { setClock } from "../shared/clock.tsx";
import type { ConnectionState } from "./connection.ts";
import { shareConnection } from "./share-connection.ts";

/** All known runs, latest change first, or the reason why there are none. */
export const runs = signal<Answer<RunList> | undefined>(undefined);

/** The state of the live connection. */
export const connection = signal<ConnectionState>({ kind: "asking" });

/** The runs by key. */
export const rows = computed<ReadonlyMap<string, RunRow>>(() => {
  const known = runs.value;
  return new Map(known !== undefined && "data" in known ? known.data.runs.map((row) => [row.key, row]) : []);
});

const listeners = new Set<(event: LiveEvent) => void>();

/** Calls back on every event until the returned function is called. */
export function onEvent(hear: (event: LiveEvent) => void): () => void {
  listeners.add(hear);
  return () => void listeners.delete(hear);
}

/** Loads everything once, then follows the live events. */
export function startLive(): void {
  void reloadRuns();
  void shareConnection({
    onState: (state) => {
      connection.value = state;
    },
    onEvent: (event) => {
      applyEvent(event);
      for (const hear of [...listeners]) hear(event);
    },
  });
}

/** Counts the events heard, so that an older answer does not undo what they said. */
let heard = 0;

/** Counts the reloads, so that a new one ends the one before. */
let reloads = 0;

/** The pause before older runs are asked for again that the server is still reading. */
const partialMs = 2000;

/** Loads the list, at first and whenever events may have been missed; again if events came meanwhile. */
async function reloadRuns(triesLeft = 3): Promise<void> {
  const [before, reload] = [heard, ++reloads];
  const answered = await getJson<RunList>("runs");
  if (reload !== reloads) return;
  if (heard !== before && triesLeft > 0) return reloadRuns(triesLeft - 1);
  // Keep the old data while there is nothing newer.
  if ("no" in answered && runs.value !== undefined && "data" in runs.value) return;
  runs.value = answered;
  if ("no" in answered) return;
  setClock(answered.data.at);
  await loadOlder(answered.data, () => reload === reloads);
  if (answered.data.isPartial === true) setTimeout(() => reload === reloads && void reloadRuns(), partialMs);
}

/** Adds the pages after the first one, which is on screen already. */
async function loadOlder({ next }: RunList, isNeeded: () => boolean): Promise<void> {
  for (let after = next; after !== undefined && isNeeded(); ) {
    const answered = await getJson<RunList>(`runs?after=${encodeURIComponent(after)}`);
    const known = runs.value;
    if ("no" in answered || known === undefined || "no" in known || !isNeeded()) return;
    const older = answered.data.runs.filter(({ key }) => !rows.value.has(key));
    runs.value = { data: { ...known.data, runs: [...known.data.runs, ...older] } };
    after = answered.data.next;
  }
}

function applyEvent(event: LiveEvent): void {
  const known = runs.value;
  if (event.type === "hello") void reloadRuns();
  if (event.type === "beat") setClock(event.at);
  if (event.type === "run" || event.type === "gone") heard += 1;
  if (known === undefined || "no" in known) return;
  const { data } = known;
  if (event.type === "run") {
    const { row, counts, whole } = event;
    if (row.itemOf !== undefined) return; // shown with its parent
    const others = data.runs.filter(({ key }) => key !== row.key);
    const records = data.records + row.records - (rows.value.get(row.key)?.records ?? 0);
    runs.value = { data: { ...data, counts, whole, records, runs: [row, ...others] } };
  } else if (event.type === "gone") {
    runs.value = { data: { ...data, runs: data.runs.filter(({ key }) => key !== event.key) } };
    void reloadRuns();
  }
}
