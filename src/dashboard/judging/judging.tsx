import type { VNode } from "preact";
import type { JudgingData } from "../../http/pages/page-data.ts";
import { Badge, Part } from "../shared/frame.tsx";
import { Moment } from "../shared/moment.tsx";
import { OutsideText, OutsideValue } from "../shared/outside-text.tsx";
import { Checks, Rules } from "./checks.tsx";
import { type Answering, Decision } from "./decision.tsx";
import { Evidence } from "./evidence.tsx";
import { Files } from "./files.tsx";

/** One hand-in, whole, and beside it the answer: what a yes would cover is what is shown. */
export function Judging({
  data,
  named = data,
  ...answering
}: {
  readonly data: JudgingData;
  /** How run and step are called where there are many. */
  readonly named?: { readonly run: string; readonly step: string };
} & Answering): VNode {
  return (
    <div class="judging">
      <div class="title">
        <p class="quiet">
          <OutsideText text={data.project} most={100} /> / <OutsideText text={named.run} most={200} />
        </p>
        <h1>
          <OutsideText text={named.step} most={200} /> <Standing data={data} />
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
        </div>
        <Decision data={data} {...answering} />
      </div>
    </div>
  );
}

function Standing({ data: { standing } }: { readonly data: JudgingData }): VNode {
  switch (standing) {
    case "waits":
      return <Badge tone="warn" text="waits for a person" />;
    case "completed":
      return <Badge tone="good" text="completed" />;
    case "over":
      return <Badge tone="plain" text="waits no longer" />;
  }
}

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
