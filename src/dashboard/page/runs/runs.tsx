import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { BoardHome, InboxData, RunCondition, RunFilters, RunList, RunRow } from "../../api/board-data.ts";
import { conditionOrder, conditions } from "../../overview/conditions.ts";
import { signOf } from "../../overview/step-signs.ts";
import { type Answer, getJson } from "../api-client.ts";
import { filterQuery, go, href } from "../board/location.ts";
import { runs } from "../live/runs.ts";
import { LoadingOrError, Notice } from "../shared/frame.tsx";
import { isNarrow } from "../shared/narrow.ts";
import { Windowed } from "../shared/windowed.tsx";
import { Cards } from "./cards.tsx";
import { Counts } from "./counts.tsx";
import { Filters } from "./filters.tsx";
import { Preview } from "./preview.tsx";
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
  const chosen = conditionOrder.find((one) => one === given.filters.stands);
  const isEmpty = Object.values(data.counts).every((count) => count === 0);
  return (
    <div class="view">
      <h1 class="aloud">Runs</h1>
      <Counts list={data} chosen={chosen} approves={given.home.approves} />
      {isEmpty ? <NoRuns /> : null}
      {chosen === undefined ? <Cards items={items} approves={given.home.approves} /> : null}
      {isEmpty ? null : <List data={data} filters={given.filters} />}
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

/** A line of the list: a run, or the heading of a group. */
type ListItem = { readonly head: RunCondition; readonly count: number } | { readonly row: RunRow };

/** The rows of a page with a heading for each condition, unless another order is chosen. */
function withHeadings({ runs: listed, found }: RunList, isSorted: boolean): readonly ListItem[] {
  return listed.flatMap((row, at): readonly ListItem[] => {
    const isFirst = !isSorted && row.stands !== listed[at - 1]?.stands;
    return isFirst ? [{ head: row.stands, count: found[row.stands] }, { row }] : [{ row }];
  });
}

function List({ data, filters }: { readonly data: RunList; readonly filters: RunFilters }): VNode {
  // The address follows what is typed, and must not take letters back while it does.
  const [words, setWords] = useState(filters.q ?? "");
  const [previewed, setPreviewed] = useState<string>();
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (document.activeElement !== search.current) setWords(filters.q ?? "");
  }, [filters.q]);
  const typed = { ...filters, q: words, page: "" };
  const items = withHeadings(data, filters.sort !== undefined);
  const heights = isNarrow.value ? { head: 2.25, row: 5.5 } : { head: 2, row: 2.25 };
  const chosen = conditionOrder.find((one) => one === filters.stands);
  const archived = data.counts.archived;
  const isFiltered = Object.entries(filters).some(([name, value]) => !["view", "page"].includes(name) && value !== "");
  const openFirst = async (field: HTMLInputElement): Promise<void> => {
    const answer = await getJson<RunList>(`runs${filterQuery(typed)}`);
    const [first] = "data" in answer ? answer.data.runs : [];
    if (first === undefined) field.select();
    else go({ view: "run", key: first.key });
  };
  return (
    <section aria-labelledby="all-runs">
      <div class="list-head">
        <h2 id="all-runs">{chosen === undefined ? "All runs" : conditions[chosen].badge}</h2>
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
      </div>
      <Filters choices={data.choices} filters={filters}>
        <input
          type="search"
          data-search
          placeholder={isNarrow.value ? "Find a run, step or target" : "Find a run, step or target  /"}
          aria-label="Find a run, step or target"
          ref={search}
          value={words}
          onInput={({ currentTarget }) => {
            setWords(currentTarget.value);
            go({ ...typed, view: "runs", q: currentTarget.value }, true);
          }}
          onKeyDown={({ key, currentTarget }) => {
            if (key === "Enter") void openFirst(currentTarget);
          }}
        />
      </Filters>
      <div
        class="table"
        onFocusIn={({ target }) => setPreviewed(keyOf(target))}
        onFocusOut={() => setPreviewed(undefined)}
      >
        <div class="row-head" aria-hidden="true">
          <span>Run</span>
          <span>Map</span>
          <span>Now</span>
          <span class="number">In step</span>
          <span>Verified</span>
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
                  <h3>{conditions[item.head].badge}</h3> <span class="quiet">{item.count}</span>
                </li>
              );
            }}
          />
        )}
      </div>
      <Pages data={data} filters={filters} />
      {previewed === undefined || isNarrow.value ? null : <Preview runKey={previewed} />}
    </section>
  );
}

/** The key of the run whose row has the focus. */
function keyOf(target: EventTarget | null): string | undefined {
  return target instanceof HTMLElement ? target.closest<HTMLElement>(".row")?.dataset.row : undefined;
}

/** The pages of a long list. */
function Pages({ data, filters }: { readonly data: RunList; readonly filters: RunFilters }): VNode | null {
  const { page, pages } = data;
  if (pages < 2) return null;
  const to = (other: number): string => href({ ...filters, view: "runs", page: String(other) });
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 ? <a href={to(page - 1)}>Previous</a> : null}
      <span class="quiet">
        Page {page} of {pages.toLocaleString("en")}
      </span>
      {page < pages ? <a href={to(page + 1)}>Next</a> : null}
    </nav>
  );
}

function Legend(): VNode {
  return (
    <p class="legend">
      {["d", "r", "o", "w", "s", "n", "."].map((sign) => (
        <span key={sign}>
          <Sign sign={sign} /> {signOf(sign).label}
        </span>
      ))}
    </p>
  );
}
