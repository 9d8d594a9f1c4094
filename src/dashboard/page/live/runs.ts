import { effect, signal } from "@preact/signals";
import type { LiveEvent, RunList } from "../../api/board-data.ts";
import { type Answer, getJson } from "../api-client.ts";
import { currentLocation, filterQuery } from "../board/location.ts";
import { setClock } from "../shared/clock.tsx";
import type { ConnectionState } from "./connection.ts";
import { shareConnection } from "./share-connection.ts";

/** The page of runs that the list shows or showed last, or the reason why there is none. */
export const runs = signal<Answer<RunList> | undefined>(undefined);

/** The state of the live connection. */
export const connection = signal<ConnectionState>({ kind: "asking" });

const listeners = new Set<(event: LiveEvent) => void>();

/** Calls back on every event until the returned function is called. */
export function onEvent(hear: (event: LiveEvent) => void): () => void {
  listeners.add(hear);
  return () => void listeners.delete(hear);
}

/** Loads the list that the address asks for, then follows the live events. */
export function startLive(): void {
  effect(() => {
    const here = currentLocation.value;
    if (here.view !== "runs" && asked !== undefined) return; // the list that was left stays as it was
    const query = here.view === "runs" ? filterQuery(here) : "";
    if (query === asked) return;
    asked = query;
    void reload();
  });
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

/** The query of the list; undefined before the first. */
let asked: string | undefined;
let isLoading = false;
let isStale = false;
let isDue = false;

/** The milliseconds within which changes are loaded together. */
const gatherMs = 150;

/** The pause before older runs are asked for again that the server is still reading. */
const partialMs = 2000;

/** Loads the list again, one request at a time. */
async function reload(): Promise<void> {
  isStale = true;
  if (isLoading) return;
  isLoading = true;
  while (isStale) {
    isStale = false;
    const query = asked ?? "";
    const answered = await getJson<RunList>(`runs${query}`);
    if (query !== asked) isStale = true;
    // Keep the old data while there is nothing newer.
    else if ("data" in answered || runs.value === undefined || "no" in runs.value) runs.value = answered;
    if ("data" in answered) setClock(answered.data.at);
    if ("data" in answered && answered.data.isPartial === true) setTimeout(reloadSoon, partialMs);
  }
  isLoading = false;
}

function reloadSoon(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    void reload();
  }, gatherMs);
}

function applyEvent(event: LiveEvent): void {
  if (event.type === "hello") void reload();
  if (event.type === "beat") setClock(event.at);
  if (event.type === "gone") reloadSoon();
  if (event.type !== "run") return;
  reloadSoon();
  const known = runs.value;
  if (known === undefined || "no" in known) return;
  const { row, counts, whole } = event;
  if (row.itemOf !== undefined) return; // shown with its parent
  // A row that is shown changes at once; where it belongs now, the list says.
  const shown = known.data.runs.map((one) => (one.key === row.key && one.stands === row.stands ? row : one));
  runs.value = { data: { ...known.data, counts, whole, runs: shown } };
}
