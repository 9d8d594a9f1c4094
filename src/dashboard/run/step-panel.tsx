import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Attempt, RunData, ShownHandIn } from "../../http/board/board-data.ts";
import { go, href } from "../board/place.ts";
import { signWords } from "../board/stands.ts";
import { useAsked } from "../live/use-asked.ts";
import { Icon, type IconName } from "../shared/icon.tsx";
import { lasting, Moment } from "../shared/moment.tsx";
import { OutsideLine, OutsideText } from "../shared/outside-text.tsx";
import { Differences } from "./differences.tsx";
import { HandInShown } from "./hand-in.tsx";
import { shortLabel } from "./step-name.ts";

/** One hand-in with the attempt that it belongs to. */
type Tab = { readonly attempt: Attempt; readonly handIn: ShownHandIn };

/** A step: what was handed in, time by time, what became of it, and on whose word it went on. */
export function StepPanel(given: {
  readonly data: RunData;
  readonly workflow: string;
  readonly step: string;
  readonly handIn: number | undefined;
}): VNode {
  const { data, workflow, step } = given;
  const own = data.attempts.filter((one) => one.workflow === workflow && one.step === step);
  const place = data.workflows.find((row) => row.workflow === workflow)?.steps.find((one) => one.step === step);
  const last = own.at(-1);
  const label = place?.label ?? last?.label ?? step;
  const title =
    data.row.kind === "session"
      ? /^Phase /.test(label)
        ? label
        : `Phase ${step}${label === step ? "" : `: ${label}`}`
      : `${workflow} · ${shortLabel(label, workflow)}`;
  return (
    <aside class="card step-panel" aria-label="Step">
      <h2>
        <OutsideText text={title} most={160} />
      </h2>
      {own.length === 0 ? (
        <ToCome sign={place?.sign ?? "."} />
      ) : (
        <Tried key={own.length} data={data} own={own} wanted={given.handIn} />
      )}
      {place?.stale === undefined || place.stale.length === 0 ? null : (
        <p class="told-plain warn-ink">
          What was proved here has changed since:{" "}
          {place.stale
            .flatMap(({ paths }) => paths)
            .slice(0, 5)
            .map((path) => (
              <code key={path}>
                <OutsideLine text={path} most={80} />{" "}
              </code>
            ))}
        </p>
      )}
      {last === undefined ? null : <Ended attempt={last} data={data} />}
    </aside>
  );
}

function ToCome({ sign }: { readonly sign: string }): VNode {
  if (sign === "k") return <p class="quiet">Skipped: what decides about it said so.</p>;
  if (sign === "n") return <p class="quiet">Next. Nobody has opened it yet.</p>;
  return (
    <p class="quiet">{sign === "." ? "To come. What it asks for is shown when its turn has come." : signWords[sign]}</p>
  );
}

function Tried({
  data,
  own,
  wanted,
}: {
  readonly data: RunData;
  readonly own: readonly Attempt[];
  readonly wanted: number | undefined;
}): VNode {
  const tabs = own.flatMap((attempt): readonly Tab[] => attempt.handIns.map((handIn) => ({ attempt, handIn })));
  const [compares, setCompares] = useState(false);
  const shown = Math.min(tabs.length, Math.max(1, wanted ?? tabs.length));
  const tab = tabs[shown - 1];
  const before = tabs[shown - 2];
  const now = useWhole(data.row.key, tab);
  const then = useWhole(data.row.key, compares ? before : undefined);
  if (tab === undefined)
    return (
      <p class="quiet">
        Open since <Moment at={own.at(-1)?.startedAt ?? ""} />; nothing has been handed in yet.
      </p>
    );
  const open = (number: number): void => {
    const [{ workflow, step } = tab.attempt] = own;
    go({ view: "run", key: data.row.key, at: { workflow, step, handIn: number } }, true);
  };
  const first = Math.max(1, Math.min(shown - 3, tabs.length - 6));
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Hand-ins">
        {tabs.slice(first - 1, first + 6).map(({ handIn }, at) => (
          <button
            key={first + at}
            type="button"
            role="tab"
            aria-selected={first + at === shown}
            tabIndex={first + at === shown ? 0 : -1}
            onClick={() => open(first + at)}
            onKeyDown={({ key }) => {
              if (key === "ArrowRight" || key === "ArrowLeft")
                open(Math.min(tabs.length, Math.max(1, shown + (key === "ArrowRight" ? 1 : -1))));
            }}
          >
            <Icon name={outcomeIcons[handIn.outcome]} /> Hand-in {first + at}
          </button>
        ))}
        {tabs.length > 7 ? <span class="quiet small">of {tabs.length}</span> : null}
      </div>
      {before === undefined ? null : (
        <label class="tick small">
          <input
            type="checkbox"
            checked={compares}
            onChange={({ currentTarget }) => setCompares(currentTarget.checked)}
          />{" "}
          What is different from hand-in {shown - 1}
        </label>
      )}
      <div role="tabpanel">
        {compares && then !== undefined && now !== undefined ? (
          <Differences before={then} after={now} />
        ) : now === undefined ? (
          <p class="quiet">One moment…</p>
        ) : (
          <HandInShown handIn={now} number={shown} />
        )}
      </div>
    </>
  );
}

/** A hand-in whole: in a long history what was handed in is asked for when somebody looks. */
function useWhole(key: string, tab: Tab | undefined): ShownHandIn | undefined {
  const isLean = tab?.attempt.isLean === true;
  const { workflow = "", step = "", pass = 0, attempt = 0 } = tab?.attempt ?? {};
  const query = new URLSearchParams({ workflow, step, pass: String(pass), attempt: String(attempt) });
  const { answered } = useAsked<Attempt>(
    isLean ? `runs/${encodeURIComponent(key)}/attempt?${query}` : undefined,
    () => false,
  );
  if (!isLean) return tab?.handIn;
  if (answered === undefined || "no" in answered) return undefined;
  return answered.data.handIns.find(({ number }) => number === tab?.handIn.number) ?? tab?.handIn;
}

const outcomeIcons: Readonly<Record<ShownHandIn["outcome"], IconName>> = {
  checking: "half",
  waits: "pause",
  refused: "cross",
  declined: "cross",
  replaced: "skip",
  completed: "check",
};

/** How the last attempt ended: on whose word, and how that came. */
function Ended({ attempt, data: { row } }: { readonly attempt: Attempt; readonly data: RunData }): VNode | null {
  const { word, state, startedAt, endedAt, handIns, workflow, step, client } = attempt;
  const took = endedAt === undefined ? undefined : lasting((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
  const waits = handIns.at(-1)?.outcome === "waits";
  return (
    <p class="ended">
      <Icon name={waits ? "pause" : "person"} />
      <span>
        {waits && state === "open" ? (
          <>
            Waits for a person's word.{" "}
            <a href={href({ view: "inbox", item: { key: row.key, workflow, step } })}>Look at it, and answer.</a>
          </>
        ) : state === "completed" ? (
          <>
            {word === undefined ? "Completed" : wordIn(word)}
            {took === undefined ? "." : `, after ${took}.`}
            {word?.text === undefined || word.text === "" ? null : (
              <q>
                <OutsideText text={word.text} most={300} />
              </q>
            )}
          </>
        ) : state === "open" ? (
          "Under way."
        ) : state === "left" ? (
          "Left before it was done."
        ) : (
          "Begun anew later."
        )}
        {client === undefined ? null : (
          <span class="quiet">
            {" "}
            In <OutsideLine text={client} most={60} />.
          </span>
        )}
      </span>
    </p>
  );
}

function wordIn({ level, by = [] }: NonNullable<Attempt["word"]>): string {
  const names = by.length === 0 ? "a person" : by.join(" and ");
  switch (level) {
    case "auto":
      return "Went on by itself, as its author allowed";
    case "relayed":
      return `Completed on ${names === "a person" ? "a person's" : `${names}'s`} word, as the assistant passed it on`;
    case "elicited":
      return `Completed by ${names}, asked in the assistant's window`;
    case "proven":
      return `Completed by ${names}, proved with a key`;
  }
}
