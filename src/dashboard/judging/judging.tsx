import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { JudgingData } from "../../http/pages/page-data.ts";
import { Badge, Part } from "../shared/frame.tsx";
import { Moment } from "../shared/moment.tsx";
import { OutsideText, OutsideValue } from "../shared/outside-text.tsx";
import { Checks, Rules } from "./checks.tsx";
import { type Answering, type Came, Decision } from "./decision.tsx";
import { Earlier } from "./earlier.tsx";
import { Evidence } from "./evidence.tsx";
import { Files } from "./files.tsx";

/** One hand-in, whole, and beside it the answer: what a yes would cover is what is shown. */
export function Judging({
  data,
  stepLink,
  ...answering
}: {
  readonly data: JudgingData;
  /** Where another step of the same workflow is shown, where there is such a place. */
  readonly stepLink?: (step: string) => string;
} & Answering): VNode {
  const [came, setCame] = useState<Came>();
  return (
    <div class="judging">
      <div class="title">
        <p class="quiet">
          <OutsideText text={data.project} most={100} /> / <OutsideText text={data.run} most={200} />
        </p>
        <h1>
          <OutsideText text={data.step} most={200} /> <Standing data={data} came={came} />
        </h1>
        <p class="quiet">
          Handed in <Moment at={data.since} />
          {data.attempt > 1 ? `, attempt ${data.attempt}` : ""}. This is everything that a yes would cover.
        </p>
      </div>
      <div class="columns">
        <div class="evidence">
          <Evidence evidence={data.evidence} />
          <Checks checks={data.checks} />
          <Rules rules={data.rules} />
          <Outputs outputs={data.outputs} />
          <Files files={data.files} />
          <Earlier files={data.earlier} stepLink={stepLink} />
        </div>
        <Decision data={data} {...answering} came={setCame} />
      </div>
    </div>
  );
}

/** How it stands; of what was answered here, as the answer has it, also where its server has gone since. */
function Standing(given: { readonly data: JudgingData; readonly came: Came | undefined }): VNode {
  const { standing, digest } = given.data;
  if (standing === "waits" && given.came?.digest === digest) return <Badge {...answeredBadges[given.came.result]} />;
  switch (standing) {
    case "waits":
      return <Badge tone="warn" text="waits for a person" />;
    case "completed":
      return <Badge tone="good" text="completed" />;
    case "over":
      return <Badge tone="plain" text="waits no longer" />;
  }
}

const answeredBadges = {
  completed: { tone: "good", text: "completed" },
  recorded: { tone: "warn", text: "waits for more" },
  rejected: { tone: "plain", text: "sent back" },
  refused: { tone: "warn", text: "waits for a person" },
} as const;

function Outputs({ outputs }: Pick<JudgingData, "outputs">): VNode | null {
  const entries = Object.entries(outputs);
  if (entries.length === 0) return null;
  return (
    <Part title="Outputs" about="What the assistant says that it did.">
      <dl class="values">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>
              <OutsideText text={name} most={200} />
            </dt>
            <dd>
              <OutsideValue value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}
