import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChainState, RecordWindow, ShownEvent, ShownRecord } from "../../api/board-data.ts";
import { getJson } from "../api-client.ts";
import { href } from "../board/location.ts";
import { onEvent } from "../live/runs.ts";
import { dateText } from "../shared/date-text.ts";
import { Icon } from "../shared/icon.tsx";
import { isNarrow } from "../shared/narrow.ts";
import { UntrustedLine, UntrustedText } from "../shared/untrusted-text.tsx";
import { Windowed } from "../shared/windowed.tsx";

/** The number of records loaded at once. */
const page = 200;

/** The history of a run, newest first, loading and drawing only the visible records. */
export function History(given: {
  readonly runKey: string;
  readonly chain: ChainState;
  readonly view: "run" | "audit";
  /** The chosen record, if any. */
  readonly chosen: number | undefined;
}): VNode {
  const { runKey, chain, view, chosen } = given;
  const { total, recordAt, want } = useRecords(runKey);
  const broken = chain.state === "broken" ? chain.seq : undefined;
  return (
    <section class="card history" aria-labelledby="history">
      <div class="card-head">
        <h2 id="history">History</h2>
        <Chain chain={chain} runKey={runKey} view={view} />
      </div>
      {chosen === undefined ? null : <FullRecord record={recordAt(chosen)} seq={chosen} runKey={runKey} view={view} />}
      {total === undefined ? (
        <p class="quiet">Loading…</p>
      ) : (
        <Windowed
          label="Records, newest first"
          count={total}
          heights={isNarrow.value}
          heightOf={() => (isNarrow.value ? 4.75 : 3)}
          show={chosen === undefined ? undefined : { name: chosen, at: total - chosen }}
          onRange={(from, to) => want(total - to + 1, total - from)}
          row={(at) => (
            <RecordRow
              key={total - at}
              seq={total - at}
              record={recordAt(total - at)}
              broken={broken}
              isChosen={chosen === total - at}
              link={href({ view, key: runKey, record: total - at })}
            />
          )}
        />
      )}
    </section>
  );
}

/** The state of the chain: intact up to a head, or where it breaks. */
function Chain({
  chain,
  runKey,
  view,
}: {
  readonly chain: ChainState;
  readonly runKey: string;
  readonly view: "run" | "audit";
}): VNode {
  switch (chain.state) {
    case "whole":
      return (
        <p class="chain good">
          <Icon name="check" /> {chain.records.toLocaleString("en")} {chain.records === 1 ? "record" : "records"}, chain
          intact, head <code>{chain.head.slice(0, 8)}</code>
        </p>
      );
    case "broken":
      return (
        <p class="chain bad">
          <span>
            <Icon name="cross" /> broken at{" "}
            <a href={href({ view, key: runKey, record: chain.seq })}>record {chain.seq}</a>:{" "}
            <UntrustedText text={chain.reason} most={300} />
          </span>
        </p>
      );
    case "looking":
      return <p class="chain quiet">verifying the chain…</p>;
  }
}

function RecordRow(given: {
  readonly seq: number;
  readonly record: ShownRecord | undefined;
  readonly broken: number | undefined;
  readonly isChosen: boolean;
  readonly link: string;
}): VNode {
  const { seq, record, broken, isChosen, link } = given;
  const [first] = record?.events ?? [];
  const tone =
    broken === seq
      ? "bad"
      : (record?.events.find(({ tone: one }) => one === "bad" || one === "warn")?.tone ?? first?.tone ?? "plain");
  return (
    <li class="row-frame">
      <a
        data-row
        class={`record-row ${tone}${broken !== undefined && seq >= broken ? " unsure" : ""}`}
        href={link}
        aria-current={isChosen ? "true" : undefined}
      >
        <span class="seq">{seq}</span>
        <span class="when">{first === undefined ? "" : dateText(first.at)}</span>
        <span class="words">
          {record === undefined ? (
            <span class="quiet">…</span>
          ) : (
            <UntrustedLine text={eventTexts(record.events)} most={220} />
          )}
        </span>
        <span class="by quiet">
          {first?.client === undefined && first?.by === undefined ? null : (
            <UntrustedLine text={first.client ?? first.by ?? ""} most={30} />
          )}
        </span>
        <code class="hash quiet">{record?.hash.slice(0, 8)}</code>
      </a>
    </li>
  );
}

function FullRecord({
  record,
  seq,
  runKey,
  view,
}: {
  readonly record: ShownRecord | undefined;
  readonly seq: number;
  readonly runKey: string;
  readonly view: "run" | "audit";
}): VNode {
  return (
    <div class="record-whole">
      <div class="card-head">
        <h3>Record {seq}</h3>
        <a class="small" href={href({ view, key: runKey })}>
          Close
        </a>
      </div>
      {record === undefined ? (
        <p class="quiet">It does not exist or is not loaded yet.</p>
      ) : (
        <>
          <p class="small">
            hash <code class="digest">{record.hash}</code>
          </p>
          <ol class="rows">
            {record.events.map((event, at) => (
              <li key={at}>
                <time class="quiet" dateTime={event.at}>
                  {dateText(event.at)}
                </time>
                <span>
                  <UntrustedText text={eventTexts([event])} most={1000} />
                </span>
                <code class="quiet">{event.type}</code>
                {event.client === undefined && event.by === undefined ? null : (
                  <span class="quiet">
                    by <UntrustedLine text={event.client ?? event.by ?? ""} most={60} />
                  </span>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

/** Loads the records of a run on demand. */
function useRecords(key: string) {
  const known = useRef(new Map<number, ShownRecord>());
  const asked = useRef(new Set<number>());
  const [total, setTotal] = useState<number>();
  const [, draw] = useState(0);
  const load = async (query: string): Promise<void> => {
    const answered = await getJson<RecordWindow>(`runs/${encodeURIComponent(key)}/records?${query}&count=${page}`);
    if ("no" in answered) return;
    for (const record of answered.data.records) known.current.set(record.seq, record);
    setTotal(answered.data.total);
    draw((times) => times + 1);
  };
  const newest = (): Promise<void> => load(`before=${Number.MAX_SAFE_INTEGER}`);
  useEffect(() => {
    let soon: ReturnType<typeof setTimeout> | undefined;
    void newest();
    const deaf = onEvent((event) => {
      if (event.type !== "hello" && !(event.type === "run" && event.row.key === key)) return;
      soon ??= setTimeout(() => {
        soon = undefined;
        void newest();
      }, 150);
    });
    return () => {
      clearTimeout(soon);
      deaf();
    };
  }, [key]);
  return {
    total,
    recordAt: (seq: number) => known.current.get(seq),
    want: (from: number, to: number): void => {
      for (let seq = Math.max(1, from); seq <= to; seq++) {
        const number = Math.floor((seq - 1) / page);
        if (known.current.has(seq) || asked.current.has(number)) continue;
        asked.current.add(number);
        void load(`from=${number * page + 1}`).then(() => asked.current.delete(number));
      }
    },
  };
}

/** Describes events, naming each step once. */
function eventTexts(events: readonly ShownEvent[]): string {
  let before = "";
  return events
    .map((event) => {
      const place = eventStep(event);
      const said = place === "" || place === before ? event.text : `${place}: ${event.text}`;
      before = place;
      return said;
    })
    .join("; ");
}

function eventStep({ workflow, step }: ShownEvent): string {
  if (step === undefined) return "";
  return /^\d+$/.test(step) ? `phase ${step}` : `${workflow === undefined ? "" : `${workflow} · `}${step}`;
}
