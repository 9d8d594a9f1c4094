import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Attempt, RunData, ShownSubmission } from "../../api/board-data.ts";
import { durationText } from "../../overview/duration-text.ts";
import { signOf } from "../../overview/step-signs.ts";
import { go, href } from "../board/location.ts";
import { useResource } from "../live/use-resource.ts";
import { Button } from "../shared/button.tsx";
import { TimeAgo } from "../shared/clock.tsx";
import { Icon, type IconName } from "../shared/icon.tsx";
import { UntrustedLine, UntrustedText } from "../shared/untrusted-text.tsx";
import { Differences } from "./differences.tsx";
import { shortLabel } from "./short-label.ts";
import { SubmissionView } from "./submission-view.tsx";

/** A submission with its attempt. */
type Tab = { readonly attempt: Attempt; readonly submission: ShownSubmission };

/** A step: its submissions, their outcomes and its approval. */
export function StepPanel(given: {
  readonly data: RunData;
  readonly workflow: string;
  readonly step: string;
  readonly submission: number | undefined;
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
        <UntrustedText text={title} most={160} />
      </h2>
      {own.length === 0 ? (
        <UpcomingStep sign={place?.sign ?? "."} isOver={data.row.stands === "finished"} />
      ) : (
        <Submissions key={own.length} data={data} own={own} wanted={given.submission} />
      )}
      {place?.stale === undefined || place.stale.length === 0 ? null : (
        <p class="told-plain warn-ink">
          Changed since it was verified:{" "}
          {place.stale
            .flatMap(({ paths }) => paths)
            .slice(0, 5)
            .map((path) => (
              <code key={path}>
                <UntrustedLine text={path} most={80} />{" "}
              </code>
            ))}
        </p>
      )}
      {last === undefined ? null : <StepEnd attempt={last} data={data} />}
    </aside>
  );
}

function UpcomingStep({ sign, isOver }: { readonly sign: string; readonly isOver: boolean }): VNode {
  if (sign === "." && isOver) return <p class="quiet">Not reached: the run has ended.</p>;
  if (sign === "k") return <p class="quiet">Skipped by its condition.</p>;
  if (sign === "n") return <p class="quiet">Next. Not opened yet.</p>;
  return (
    <p class="quiet">{sign === "." ? "Upcoming. Its requirements are shown when it opens." : signOf(sign).label}</p>
  );
}

function Submissions({
  data,
  own,
  wanted,
}: {
  readonly data: RunData;
  readonly own: readonly Attempt[];
  readonly wanted: number | undefined;
}): VNode {
  const tabs = own.flatMap((attempt): readonly Tab[] => attempt.handIns.map((submission) => ({ attempt, submission })));
  const groups = foldRepeated(tabs);
  const [compares, setCompares] = useState(false);
  const shown = Math.min(tabs.length, Math.max(1, wanted ?? tabs.length));
  const tab = tabs[shown - 1];
  const before = tabs[shown - 2];
  const now = useFullSubmission(data.row.key, tab);
  const then = useFullSubmission(data.row.key, compares ? before : undefined);
  if (tab === undefined)
    return (
      <p class="quiet">
        Opened <TimeAgo at={own.at(-1)?.startedAt ?? ""} />; nothing submitted yet.
      </p>
    );
  const open = (number: number): void => {
    const [{ workflow, step } = tab.attempt] = own;
    go({ view: "run", key: data.row.key, at: { workflow, step, submission: number } }, true);
  };
  const at = groups.findIndex(({ last }) => last >= shown);
  const first = Math.max(0, Math.min(at - 3, groups.length - 7));
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Submissions">
        {groups.slice(first, first + 7).map(({ last, count, outcome }, number) => (
          <Button
            key={last}
            role="tab"
            aria-selected={first + number === at}
            tabIndex={first + number === at ? 0 : -1}
            onClick={() => open(last)}
            onKeyDown={({ key }) => {
              const next = groups[at + (key === "ArrowRight" ? 1 : -1)];
              if ((key === "ArrowRight" || key === "ArrowLeft") && next !== undefined) open(next.last);
            }}
          >
            <Icon name={outcomeIcons[outcome]} /> Submission {last}
            {count > 1 ? <span title={`Refused ${count} times for the same reasons`}> ×{count}</span> : null}
          </Button>
        ))}
        {groups.length > 7 ? <span class="quiet small">of {tabs.length}</span> : null}
      </div>
      {before === undefined ? null : (
        <label class="tick small">
          <input
            type="checkbox"
            checked={compares}
            onChange={({ currentTarget }) => setCompares(currentTarget.checked)}
          />{" "}
          Compare with submission {shown - 1}
        </label>
      )}
      <div role="tabpanel">
        {compares && then !== undefined && now !== undefined ? (
          <Differences before={then} after={now} />
        ) : now === undefined ? (
          <p class="quiet">Loading…</p>
        ) : (
          <SubmissionView submission={now} number={shown} />
        )}
      </div>
    </>
  );
}

/** Submissions in a row that were refused for the same reasons, as one tab. */
type Group = { readonly last: number; readonly count: number; readonly outcome: ShownSubmission["outcome"] };

function foldRepeated(tabs: readonly Tab[]): readonly Group[] {
  const groups: Group[] = [];
  for (const [at, { submission }] of tabs.entries()) {
    const before = groups.at(-1);
    const { outcome, sameGaps } = submission;
    const isSame = outcome === "refused" && sameGaps === true && before?.outcome === "refused";
    if (isSame) groups.pop();
    groups.push({ last: at + 1, count: isSame ? before.count + 1 : 1, outcome });
  }
  return groups;
}

/** Loads a submission in full; in a long history its content comes on demand. */
function useFullSubmission(key: string, tab: Tab | undefined): ShownSubmission | undefined {
  const isLean = tab?.attempt.isLean === true;
  const { workflow = "", step = "", pass = 0, attempt = 0 } = tab?.attempt ?? {};
  const query = new URLSearchParams({ workflow, step, pass: String(pass), attempt: String(attempt) });
  const { answer } = useResource<Attempt>(
    isLean ? `runs/${encodeURIComponent(key)}/attempt?${query}` : undefined,
    () => false,
  );
  if (!isLean) return tab?.submission;
  if (answer === undefined || "no" in answer) return undefined;
  return answer.data.handIns.find(({ number }) => number === tab?.submission.number) ?? tab?.submission;
}

const outcomeIcons: Readonly<Record<ShownSubmission["outcome"], IconName>> = {
  checking: "half",
  waits: "pause",
  refused: "cross",
  declined: "cross",
  replaced: "skip",
  completed: "check",
};

/** Describes how the last attempt ended and who approved it. */
function StepEnd({ attempt, data: { row } }: { readonly attempt: Attempt; readonly data: RunData }): VNode | null {
  const { word, state, startedAt, endedAt, handIns: submissions, workflow, step, client } = attempt;
  const took = endedAt === undefined ? undefined : durationText((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
  const waits = submissions.at(-1)?.outcome === "waits";
  const blocked = row.now?.workflow === workflow && row.now.step === step ? row.now.blocked : undefined;
  return (
    <p class="ended">
      <Icon name={waits || blocked !== undefined ? "pause" : approvalIcons[word?.level ?? "elicited"]} />
      <span>
        {blocked !== undefined ? (
          <>
            Blocked. <a href={href({ view: "inbox", item: { key: row.key, workflow, step } })}>Answer or waive it.</a>
          </>
        ) : waits && state === "open" ? (
          <>
            Waiting for approval.{" "}
            <a href={href({ view: "inbox", item: { key: row.key, workflow, step } })}>Review it.</a>
          </>
        ) : state === "completed" ? (
          <>
            {word === undefined ? "Completed" : approvalText(word)}
            {took === undefined ? "." : `, after ${took}.`}
            {word?.text === undefined || word.text === "" ? null : (
              <q>
                <UntrustedText text={word.text} most={300} />
              </q>
            )}
          </>
        ) : state === "open" ? (
          "Open."
        ) : state === "left" ? (
          "Left before completion."
        ) : (
          "Restarted later."
        )}
        {client === undefined ? null : (
          <span class="quiet">
            {" "}
            With <UntrustedLine text={client} most={60} />.
          </span>
        )}
      </span>
    </p>
  );
}

/** A relayed approval, a person's own answer, and one that a key proves look different. */
const approvalIcons: Readonly<Record<NonNullable<Attempt["word"]>["level"], IconName>> = {
  auto: "skip",
  relayed: "talk",
  elicited: "person",
  proven: "key",
};

function approvalText({ level, by = [] }: NonNullable<Attempt["word"]>): string {
  const names = by.length === 0 ? "a person" : by.join(" and ");
  switch (level) {
    case "auto":
      return "Continued automatically, as its author allowed";
    case "relayed":
      return `Approved by ${names}, relayed by the assistant`;
    case "elicited":
      return `Approved by ${names} in the assistant's window`;
    case "proven":
      return `Approved by ${names}, proven with a key`;
  }
}
