import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import type { BoardHome, JudgingData } from "../../http/board/board-data.ts";
import { href, type StepPlace } from "../board/place.ts";
import { Judging } from "../judging/judging.tsx";
import { useAsked } from "../live/use-asked.ts";
import { type Answered, tell } from "../server.ts";
import { Missing, Notice } from "../shared/frame.tsx";

/** One of what waits, whole, with its answer. What is read does not change under the reader's eyes: what is newer is offered. */
export function Judged(given: {
  readonly item: StepPlace & { readonly key: string };
  readonly home: BoardHome;
  readonly again: () => Promise<void>;
  readonly next: ComponentChildren;
}): VNode {
  const { item, home, next } = given;
  const { key, workflow, step } = item;
  const path = `runs/${encodeURIComponent(key)}`;
  const query = new URLSearchParams({ workflow, step });
  const { answered, again } = useAsked<JudgingData>(
    `${path}/judging?${query}`,
    (event) => event.type === "run" && event.row.key === key,
  );
  const [read, setRead] = useState<JudgingData>();
  const [answeredTo, setAnsweredTo] = useState<string>();
  if (answered === undefined || "no" in answered) return <Missing answered={answered} />;
  const { data } = answered;
  const isHeld = read?.standing === "waits" && data.standing === "waits" && read.digest !== answeredTo;
  if (!isHeld && read !== data) setRead(data);
  const isNewer = isHeld && read.digest !== data.digest;
  const shown = isNewer ? read : data;
  const send = <T,>(what: "statement" | "answer", sent: object): Promise<Answered<T>> =>
    tell<T>(`${path}/${what}`, { workflow, step, ...sent });
  return (
    <>
      {isNewer ? (
        <Notice tone="warn" title="It was handed in otherwise meanwhile">
          <p>
            What you read below does not count any more.{" "}
            <button type="button" class="quiet-button" onClick={() => setRead(data)}>
              Show what waits now
            </button>
          </p>
        </Notice>
      ) : null}
      <Judging
        data={shown}
        stepLink={(one) => href({ view: "run", key, at: { workflow, step: one } })}
        send={send}
        reload={async (taken) => {
          if (taken) setAnsweredTo(shown.digest);
          await Promise.all([again(), given.again()]);
        }}
        next={next}
        {...(home.approves
          ? {}
          : {
              shut: "Your token only views. Somebody whose key counts answers here, or with waymark approve at a terminal.",
            })}
      />
      <p class="small quiet">
        <a href={href({ view: "run", key, at: { workflow, step } })}>The run and the earlier hand-ins of this step</a>
      </p>
      {home.role === "approver" ? (
        <p class="small quiet">
          A passkey belongs to the name of a server.{" "}
          <a href={`/?${new URLSearchParams({ project: home.project, passkey: "" })}`}>Make one for this server</a>
        </p>
      ) : null}
    </>
  );
}
