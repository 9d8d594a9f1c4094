import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import type { BoardHome, ReviewData } from "../../api/board-data.ts";
import { type Answer, getJson, postJson } from "../api-client.ts";
import { href, type StepLocation } from "../board/location.ts";
import type { PageAction } from "../judging/decision-form.tsx";
import { Review } from "../judging/review.tsx";
import { useResource } from "../live/use-resource.ts";
import { Button } from "../shared/button.tsx";
import { LoadingOrError, Notice } from "../shared/frame.tsx";

/** One waiting submission with its answer form; newer data is offered, never swapped in while reading. */
export function InboxReview(given: {
  readonly item: StepLocation & { readonly key: string };
  readonly home: BoardHome;
  readonly again: () => Promise<void>;
  readonly next: ComponentChildren;
}): VNode {
  const { item, home, next } = given;
  const { key, workflow, step } = item;
  const path = `runs/${encodeURIComponent(key)}`;
  const query = new URLSearchParams({ workflow, step });
  const { answer, reload } = useResource<ReviewData>(
    `${path}/judging?${query}`,
    (event) => event.type === "run" && event.row.key === key,
  );
  const [read, setRead] = useState<ReviewData>();
  const [answeredTo, setAnsweredTo] = useState<string>();
  if (answer === undefined || "no" in answer) return <LoadingOrError answered={answer} />;
  const { data } = answer;
  const isHeld = read?.standing === "waits" && data.standing === "waits" && idOf(read) !== answeredTo;
  const isKept = read !== undefined && answeredTo === idOf(read) && !(isWaiting(data) && idOf(data) !== answeredTo);
  if (!isHeld && !isKept && read !== data) setRead(data);
  const isNewer = isHeld && read.digest !== data.digest;
  // What was judged stays as it was, with the answer beside it.
  const shown = isNewer || isKept ? read : data;
  const send = <T,>(what: PageAction, sent: object): Promise<Answer<T>> =>
    postJson<T>(`${path}/${what}`, { workflow, step, ...sent });
  return (
    <>
      {isNewer ? (
        <Notice tone="warn" title="A newer version was submitted">
          <p>
            The version below no longer counts.{" "}
            <Button kind="quiet" onClick={() => setRead(data)}>
              Show the new version
            </Button>
          </p>
        </Notice>
      ) : null}
      <Review
        data={shown}
        stepLink={(one) => href({ view: "run", key, at: { workflow, step: one } })}
        readFile={(file, sha256) => getJson(`${path}/file?${new URLSearchParams({ path: file, sha256 })}`)}
        send={send}
        reload={async (taken) => {
          if (taken) setAnsweredTo(idOf(shown));
          await Promise.all([reload(), given.again()]);
        }}
        next={next}
        {...(home.approves
          ? {}
          : {
              viewOnlyReason:
                "View only: your token cannot approve. An approver can answer here, or with waymark approve at a terminal.",
            })}
      />
      <p class="small quiet">
        <a href={href({ view: "run", key, at: { workflow, step } })}>The run and earlier submissions of this step</a>
      </p>
      {home.role === "approver" ? (
        <p class="small quiet">
          A passkey works for one server name only.{" "}
          <a href={`/?${new URLSearchParams({ project: home.project, passkey: "" })}`}>Create one for this server</a>
        </p>
      ) : null}
    </>
  );
}

/** Names what a person is shown: a submission by its digest, a report by its time. */
function idOf({ digest, since }: ReviewData): string {
  return digest === "" ? since : digest;
}

function isWaiting({ standing }: ReviewData): boolean {
  return standing === "waits" || standing === "blocked";
}
