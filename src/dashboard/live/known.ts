import { computed, signal } from "@preact/signals";
import type { LiveEvent, RunList, RunRow } from "../../http/board/board-data.ts";
import { type Answered, ask } from "../server.ts";
import { setClock } from "../shared/moment.tsx";
import { hearTogether } from "./share.ts";
import type { StreamState } from "./stream.ts";

/** Every run as far as this page knows, the one that moved last first; or why nothing is known. */
export const runs = signal<Answered<RunList> | undefined>(undefined);

/** How the stream stands. */
export const stream = signal<StreamState>({ kind: "asking" });

/** The runs by their keys. */
export const rows = computed<ReadonlyMap<string, RunRow>>(() => {
  const known = runs.value;
  return new Map(known !== undefined && "data" in known ? known.data.runs.map((row) => [row.key, row]) : []);
});

const hearers = new Set<(event: LiveEvent) => void>();

/** Hears every event until the returned function is called. */
export function onEvent(hear: (event: LiveEvent) => void): () => void {
  hearers.add(hear);
  return () => void hearers.delete(hear);
}

/** Looks at everything once, then follows what happens. */
export function startHearing(): void {
  void lookAgain();
  void hearTogether({
    turned: (state) => {
      stream.value = state;
    },
    hear: (event) => {
      take(event);
      for (const hear of [...hearers]) hear(event);
    },
  });
}

/** Asks for the whole list: at first, and whenever something may have been missed. */
async function lookAgain(): Promise<void> {
  const answered = await ask<RunList>("runs");
  // What was shown stays while nothing newer is known.
  if ("no" in answered && runs.value !== undefined && "data" in runs.value) return;
  runs.value = answered;
  if ("data" in answered) setClock(answered.data.at);
}

function take(event: LiveEvent): void {
  const known = runs.value;
  if (event.type === "hello") void lookAgain();
  if (event.type === "beat") setClock(event.at);
  if (known === undefined || "no" in known) return;
  const { data } = known;
  if (event.type === "run") {
    const { row, counts, whole } = event;
    const others = data.runs.filter(({ key }) => key !== row.key);
    const records = data.records + row.records - (rows.value.get(row.key)?.records ?? 0);
    runs.value = { data: { ...data, counts, whole, records, runs: [row, ...others] } };
  } else if (event.type === "gone") {
    runs.value = { data: { ...data, runs: data.runs.filter(({ key }) => key !== event.key) } };
    void lookAgain();
  }
}
