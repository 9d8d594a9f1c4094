import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { AuditData, AuditRow, ChainState } from "../../api/board-data.ts";
import { type Answer, getJson, request } from "../api-client.ts";
import { href } from "../board/location.ts";
import { useResource } from "../live/use-resource.ts";
import { History } from "../run/history.tsx";
import { Button } from "../shared/button.tsx";
import { TimeAgo } from "../shared/clock.tsx";
import { Badge, LoadingOrError, Notice } from "../shared/frame.tsx";
import { Icon } from "../shared/icon.tsx";
import { isNarrow } from "../shared/narrow.ts";
import { UntrustedLine, UntrustedText } from "../shared/untrusted-text.tsx";
import { Windowed } from "../shared/windowed.tsx";

/** The audit: the state of each history, and where one is broken. */
export function Audit({
  chosen,
  record,
}: {
  readonly chosen: string | undefined;
  readonly record: number | undefined;
}): VNode {
  const { answer, reload } = useResource<AuditData>(
    "audit",
    ({ type }) => type === "run" || type === "gone",
    1500,
    allHistories,
  );
  const [isLooking, setLooking] = useState(false);
  const [problem, setProblem] = useState<string>();
  if (answer === undefined || "no" in answer) return <LoadingOrError answered={answer} />;
  const { data } = answer;
  const row = data.histories.find(({ key }) => key === chosen);
  const verify = async (): Promise<void> => {
    setLooking(true);
    const read = await getJson<AuditData>("audit?again=1");
    await reload();
    setProblem("no" in read ? read.no : undefined);
    setLooking(false);
  };
  return (
    <div class="view">
      <div class="title list-head">
        <h1>Audit</h1>
        <div class="actions">
          <Button disabled={isLooking} onClick={verify}>
            {isLooking ? "Verifying…" : "Verify again"}
          </Button>
          <Button onClick={async () => setProblem(await download())}>Export</Button>
        </div>
      </div>
      {problem === undefined ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Verdict data={data} />
      {row === undefined ? null : <Chosen row={row} record={record} />}
      <Histories rows={data.histories} chosen={chosen} />
    </div>
  );
}

/** Loads every page of the histories. */
async function allHistories(what: string): Promise<Answer<AuditData>> {
  const answered = await getJson<AuditData>(what);
  if ("no" in answered) return answered;
  const histories = [...answered.data.histories];
  const problems = [...answered.data.problems];
  for (let after = answered.data.next; after !== undefined; ) {
    const more = await getJson<AuditData>(`audit?after=${encodeURIComponent(after)}`);
    if ("no" in more) return more;
    histories.push(...more.data.histories);
    problems.push(...more.data.problems);
    after = more.data.next;
  }
  return { data: { ...answered.data, histories, problems } };
}

function Verdict({ data: { histories, problems, at } }: { readonly data: AuditData }): VNode {
  const broken = histories.filter(({ chain }) => chain.state === "broken");
  const looking = histories.filter(({ chain }) => chain.state === "looking").length;
  const records = histories.reduce((sum, { chain }) => sum + ("records" in chain ? chain.records : 0), 0);
  if (histories.length === 0)
    return (
      <Notice tone="plain" title="No history yet">
        <p>It starts with an assistant's first call.</p>
      </Notice>
    );
  return (
    <Notice
      tone={broken.length > 0 ? "bad" : problems.length > 0 ? "warn" : looking > 0 ? "plain" : "good"}
      title={verdictOf(histories.length, broken.length, looking)}
    >
      <p>
        {records.toLocaleString("en")} {records === 1 ? "record" : "records"}
        {broken.length > 0 ? "" : ", each with the hash of the one before"}; verified <TimeAgo at={at} />.{" "}
        {broken.length > 0 ? (
          <>
            Find out who changed the files. To accept it anyway, run <code>waymark verify --accept</code> at a terminal.
          </>
        ) : null}
      </p>
      {problems.length === 0 ? null : (
        <ul>
          {problems.slice(0, 20).map((text) => (
            <li key={text}>
              <UntrustedText text={text} most={500} />
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

function verdictOf(all: number, broken: number, looking: number): string {
  const [some, how] =
    broken > 0 ? [broken, "broken"] : looking > 0 ? [looking, "still being verified"] : [all, "intact"];
  if (all === 1) return `The only history is ${how}`;
  const which = some === all ? `All ${all}` : `${some} of ${all}`;
  return `${which} histories ${some === 1 ? "is" : "are"} ${how}`;
}

function Histories({
  rows,
  chosen,
}: {
  readonly rows: readonly AuditRow[];
  readonly chosen: string | undefined;
}): VNode {
  const order = { broken: 0, looking: 1, whole: 2 };
  const sorted = [...rows].sort(
    (one, other) =>
      order[one.chain.state] - order[other.chain.state] || (other.changed ?? "").localeCompare(one.changed ?? ""),
  );
  return (
    <section class="table audit-table" aria-label="Histories">
      <div class="row-head" aria-hidden="true">
        <span>History</span>
        <span>Chain</span>
        <span class="number">Records</span>
        <span>Head</span>
        <span>Approvals</span>
        <span class="number">Last record</span>
      </div>
      <Windowed
        label="Histories"
        count={sorted.length}
        heights={isNarrow.value}
        heightOf={() => (isNarrow.value ? 5.5 : 2.5)}
        row={(at) => {
          const row = sorted[at];
          return row === undefined ? null : <HistoryRow key={row.key} row={row} isChosen={row.key === chosen} />;
        }}
      />
    </section>
  );
}

function HistoryRow({ row, isChosen }: { readonly row: AuditRow; readonly isChosen: boolean }): VNode {
  const { chain, approvals } = row;
  return (
    <li class="row-frame">
      <a class="row" data-row href={href({ view: "audit", key: row.key })} aria-current={isChosen ? "true" : undefined}>
        <span class="what">
          <strong>
            <UntrustedLine text={row.title} most={60} />
          </strong>{" "}
          <span class="quiet small">
            <UntrustedLine text={row.workflow} most={40} />
          </span>
        </span>
        <ChainWord chain={chain} />
        <span class="number">{"records" in chain ? chain.records.toLocaleString("en") : ""}</span>
        <code class="quiet">{"head" in chain ? chain.head.slice(0, 12) : ""}</code>
        <span>
          {approvals.proven > 0 ? <Badge tone="good" text={`${approvals.proven} proven`} /> : null}{" "}
          {approvals.doubtful > 0 ? <Badge tone="bad" text={`${approvals.doubtful} doubtful`} /> : null}
          {approvals.proven + approvals.doubtful === 0 ? <span class="quiet">–</span> : null}
        </span>
        <span class="number moved quiet">{row.changed === null ? "" : <TimeAgo at={row.changed} />}</span>
      </a>
    </li>
  );
}

function ChainWord({ chain }: { readonly chain: ChainState }): VNode {
  switch (chain.state) {
    case "whole":
      return (
        <span class="chain good">
          <Icon name="check" /> intact
        </span>
      );
    case "broken":
      return (
        <span class="chain bad">
          <Icon name="cross" /> broken at {chain.seq}
        </span>
      );
    case "looking":
      return <span class="chain quiet">verifying…</span>;
  }
}

function Chosen({ row, record }: { readonly row: AuditRow; readonly record: number | undefined }): VNode {
  return (
    <section aria-labelledby="chosen-history">
      <div class="list-head">
        <h2 id="chosen-history">
          <UntrustedLine text={row.title} most={80} />
        </h2>
        <a class="small" href={href({ view: "run", key: row.key })}>
          Open run
        </a>
        <a class="small" href={href({ view: "audit" })}>
          Close
        </a>
      </div>
      {row.notes.length === 0 ? null : (
        <ul class="notes">
          {row.notes.slice(0, 20).map((note) => (
            <li key={note}>
              <UntrustedText text={note} most={400} />
            </li>
          ))}
        </ul>
      )}
      <History key={row.key} runKey={row.key} chain={row.chain} view="audit" chosen={record} />
    </section>
  );
}

/** Downloads the whole record; returns the reason if that fails. */
async function download(): Promise<string | undefined> {
  const answer = await request("export").catch(() => undefined);
  if (answer === undefined) return "The server does not respond.";
  if (!answer.ok) return String((await answer.json().catch(() => ({}))).message ?? "The export failed.");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = "waymark-export.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return undefined;
}
