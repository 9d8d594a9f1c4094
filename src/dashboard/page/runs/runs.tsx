import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { BoardHome, InboxData, RunList } from "../../api/board-data.ts";
import type { Answer } from "../api-client.ts";
import { go, href, type RunFilters } from "../board/location.ts";
import { signLabels, statusLabels, statusOrder } from "../board/status-labels.ts";
import { runs } from "../live/runs.ts";
import { LoadingOrError, Notice } from "../shared/frame.tsx";
import { isNarrow } from "../shared/narrow.ts";
import { Windowed } from "../shared/windowed.tsx";
import { Cards } from "./cards.tsx";
import { Counts } from "./counts.tsx";
import { filterRuns } from "./filter-runs.ts";
import { Filters } from "./filters.tsx";
import { Row } from "./row.tsx";
import { Runners } from "./runners.tsx";
import { Sign } from "./strip.tsx";

/** The overview of all runs: what is waiting, what is stuck, and if the record is intact. */
export function Runs(given: {
  readonly home: BoardHome;
  readonly inbox: Answer<InboxData> | undefined;
  readonly filters: RunFilters;
}): VNode {
  const known = runs.value;
  if (known === undefined || "no" in known) return <LoadingOrError answered={known} />;
  const { data } = known;
  const items = given.inbox !== undefined && "data" in given.inbox ? given.inbox.data.items : [];
  const chosen = statusOrder.find((one) => one === given.filters.stands);
  return (
    <div class="view">
      <h1 class="aloud">Runs</h1>
      <Counts list={data} chosen={chosen} approves={given.home.approves} />
      {data.runs.length === 0 ? <NoRuns /> : null}
      {chosen === undefined ? <Cards items={items} approves={given.home.approves} /> : null}
      {data.runs.length === 0 ? null : <List data={data} filters={given.filters} />}
      {data.runners === undefined ? null : <Runners runners={data.runners} />}
    </div>
  );
}

function NoRuns(): VNode {
  return (
    <Notice tone="plain" title="No runs yet">
      <p>
        Open your assistant in this project and say <q>Start the story bot</q>, or name one of your workflows. The run
        appears here. No process yet? Create one with <code>waymark init --template story-bot</code>.
      </p>
    </Notice>
  );
}

function List({ data, filters: inAddress }: { readonly data: RunList; readonly filters: RunFilters }): VNode {
  // The address follows what is typed, and must not take letters back while it does.
  const [words, setWords] = useState(inAddress.q ?? "");
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (document.activeElement !== search.current) setWords(inAddress.q ?? "");
  }, [inAddress.q]);
  const filters = useMemo(() => ({ ...inAddress, q: words }), [inAddress, words]);
  const items = useMemo(() => filterRuns(data.runs, filters, Date.parse(data.at)), [data, filters]);
  const heights = isNarrow.value ? { head: 2.25, row: 5.5 } : { head: 2, row: 2.25 };
  const chosen = statusOrder.find((one) => one === filters.stands);
  const archived = data.counts.archived;
  const isFiltered = Object.entries(filters).some(([name, value]) => name !== "view" && value !== "");
  return (
    <section aria-labelledby="all-runs">
      <div class="list-head">
        <h2 id="all-runs">{chosen === undefined ? "All runs" : statusLabels[chosen].badge}</h2>
        <Legend />
        {archived > 0 && chosen !== "archived" ? (
          <a class="quiet small" href={href({ view: "runs", stands: "archived" })}>
            {archived} archived
          </a>
        ) : null}
        {isFiltered ? (
          <a class="quiet small" href={href({ view: "runs" })}>
            Show all
          </a>
        ) : null}
        <input
          type="search"
          data-search
          placeholder={isNarrow.value ? "Find a run, step or target" : "Find a run, step or target  /"}
          aria-label="Find a run, step or target"
          ref={search}
          value={words}
          onInput={({ currentTarget }) => {
            setWords(currentTarget.value);
            go({ ...filters, view: "runs", q: currentTarget.value }, true);
          }}
          onKeyDown={({ key, currentTarget }) => {
            if (key !== "Enter") return;
            const first = items.find((item) => "row" in item);
            if (first !== undefined && "row" in first) go({ view: "run", key: first.row.key });
            else currentTarget.select();
          }}
        />
      </div>
      <Filters rows={data.runs} filters={filters} />
      <div class="table">
        <div class="row-head" aria-hidden="true">
          <span>Run</span>
          <span>Map</span>
          <span>Now</span>
          <span class="number">In step</span>
          <span>Evidence</span>
          <span class="number">Refused</span>
          <span class="number">Last activity</span>
        </div>
        {items.length === 0 ? (
          <p class="quiet nothing">No runs match.</p>
        ) : (
          <Windowed
            label="Runs"
            count={items.length}
            heights={`${isNarrow.value} ${items.map((item) => ("row" in item ? "." : "h")).join("")}`}
            heightOf={(at) => {
              const item = items[at];
              return item !== undefined && "row" in item ? heights.row : heights.head;
            }}
            row={(at) => {
              const item = items[at];
              if (item === undefined) return null;
              return "row" in item ? (
                <Row key={item.row.key} row={item.row} />
              ) : (
                <li key={item.head} class="group">
                  <h3>{statusLabels[item.head].badge}</h3> <span class="quiet">{item.count}</span>
                </li>
              );
            }}
          />
        )}
      </div>
    </section>
  );
}

function Legend(): VNode {
  return (
    <p class="legend">
      {["d", "r", "o", "w", "s", "n", "."].map((sign) => (
        <span key={sign}>
          <Sign sign={sign} /> {signLabels[sign]}
        </span>
      ))}
    </p>
  );
}
