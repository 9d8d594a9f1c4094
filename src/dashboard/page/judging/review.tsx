import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ReviewData } from "../../api/pages/page-data.ts";
import { Button } from "../shared/button.tsx";
import { TimeAgo } from "../shared/clock.tsx";
import { Badge, Section } from "../shared/frame.tsx";
import { UntrustedName, UntrustedText, UntrustedValue } from "../shared/untrusted-text.tsx";
import { BlockedForm } from "./blocked-form.tsx";
import { Checks, Rules } from "./checks.tsx";
import { type AnswerCallbacks, Decision, type GivenAnswer } from "./decision-form.tsx";
import { EarlierFiles, type ReadFile } from "./earlier-files.tsx";
import { Evidence } from "./evidence.tsx";
import { Files } from "./files.tsx";
import { useLineComments } from "./line-comments.tsx";
import { Markdown, useMarkdown } from "./markdown.tsx";

/** One submission in full with the answer form; an approval covers what is shown. */
export function Review({
  data,
  stepLink,
  readFile,
  ...answering
}: {
  readonly data: ReviewData;
  /** Returns the link to another step of the workflow. */
  readonly stepLink?: (step: string) => string;
  readonly readFile?: ReadFile;
} & AnswerCallbacks): VNode {
  const [came, setCame] = useState<GivenAnswer>();
  const isAnswered = came !== undefined && came.result !== "refused" && came.digest === data.digest;
  const comments = useLineComments(isAnswered);
  const answers = answering.viewOnlyReason === undefined;
  return (
    <div class="judging">
      <div class="title">
        <p class="quiet">
          <UntrustedText text={data.project} most={100} /> / <UntrustedText text={data.run} most={200} />
        </p>
        <h1>
          <UntrustedText text={data.step} most={200} /> <SubmissionStatus data={data} came={came} />
        </h1>
        <p class="quiet">
          {data.blocked === undefined ? "Submitted" : "Blocked"} <TimeAgo at={data.since} />
          {data.attempt > 1 ? `, attempt ${data.attempt}` : ""}.
          {data.standing === "waits" && !isAnswered ? " Your approval covers everything shown here." : ""}
        </p>
        {data.question === undefined ? null : (
          <p class="question">
            <UntrustedText text={data.question} most={300} />
          </p>
        )}
      </div>
      {data.standing === "waits" && !isAnswered ? (
        <Button
          kind="primary"
          class="answer-bar"
          onClick={() => document.querySelector(".decision")?.scrollIntoView({ behavior: "smooth" })}
        >
          Go to your answer
        </Button>
      ) : null}
      <div class="columns">
        <div class="evidence">
          <WaivedList waived={data.waived} />
          <Outputs outputs={data.outputs} />
          <Files files={data.files} comments={data.standing === "waits" && answers ? comments : undefined} />
          <Evidence evidence={data.evidence} />
          <Checks checks={data.checks} />
          <Rules rules={data.rules} />
          <EarlierFiles files={data.earlier} stepLink={stepLink} readFile={readFile} />
        </div>
        {data.blocked === undefined ? (
          <Decision data={data} {...answering} came={setCame} comments={comments} />
        ) : (
          <BlockedForm data={data} report={data.blocked} {...answering} came={setCame} />
        )}
      </div>
    </div>
  );
}

/** The status of the submission; an answer given here counts even if the server has gone since. */
function SubmissionStatus(given: { readonly data: ReviewData; readonly came: GivenAnswer | undefined }): VNode {
  const { standing: status, digest } = given.data;
  if ((status === "waits" || status === "blocked") && given.came?.digest === digest)
    return <Badge {...answeredBadges[given.came.result]} />;
  switch (status) {
    case "waits":
      return <Badge tone="warn" text="waiting for approval" />;
    case "blocked":
      return <Badge tone="warn" text="blocked" />;
    case "completed":
      return <Badge tone="good" text="completed" />;
    case "over":
      return <Badge tone="plain" text="already answered" />;
  }
}

const answeredBadges = {
  completed: { tone: "good", text: "completed" },
  recorded: { tone: "warn", text: "more approvals needed" },
  rejected: { tone: "plain", text: "rejected" },
  responded: { tone: "plain", text: "answered" },
  refused: { tone: "warn", text: "waiting for approval" },
} as const;

/** The requirements that people waived, and why. */
function WaivedList({ waived }: Pick<ReviewData, "waived">): VNode | null {
  if (waived.length === 0) return null;
  return (
    <Section title="Waived" about="Not required in this attempt. Your approval covers this as well.">
      <dl class="values">
        {waived.map(({ field, reason, by }) => (
          <div key={field + reason}>
            <dt>
              <UntrustedName name={field} />
            </dt>
            <dd>
              <UntrustedText text={`${by}: ${reason}`} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Outputs({ outputs }: Pick<ReviewData, "outputs">): VNode | null {
  const entries = Object.entries(outputs);
  if (entries.length === 0) return null;
  return (
    <Section title="Outputs" about="What the assistant reports.">
      <dl class="values">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>
              <UntrustedName name={name} />
            </dt>
            <dd>
              <Output value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** A reported value; a text of several lines is drawn as Markdown. */
function Output({ value }: { readonly value: unknown }): VNode {
  const text = typeof value === "string" && value.includes("\n") ? value : undefined;
  const tree = useMarkdown(text ?? "");
  if (text !== undefined && tree !== undefined) return <Markdown text={text} tree={tree} />;
  return <UntrustedValue value={value} />;
}
