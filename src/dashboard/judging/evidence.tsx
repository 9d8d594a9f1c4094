import type { VNode } from "preact";
import type { ShownEvidence } from "../../http/pages/page-data.ts";
import { Badge, Part, type Tone } from "../shared/frame.tsx";
import { OutsideText, OutsideValue } from "../shared/outside-text.tsx";

type Standing = ShownEvidence["standing"];

/** How far a field was looked at, in words; what was not is said as plainly as what was. */
const standings: Readonly<Record<Standing, { readonly tone: Tone; readonly text: string; readonly many: string }>> = {
  differs: { tone: "bad", text: "found otherwise", many: "found otherwise" },
  found: { tone: "good", text: "found by Waymark", many: "found by Waymark" },
  agrees: { tone: "good", text: "agrees with what Waymark found", many: "agree with what Waymark found" },
  word: { tone: "warn", text: "on the assistant's word", many: "on the assistant's word" },
};

const order: readonly Standing[] = ["differs", "found", "agrees", "word"];

/** The evidence, sorted by how far it was checked. */
export function Evidence({ evidence }: { readonly evidence: readonly ShownEvidence[] }): VNode | null {
  if (evidence.length === 0) return null;
  const sorted = order.flatMap((standing) => evidence.filter((one) => one.standing === standing));
  return (
    <Part title="Evidence" about={summaryOf(evidence)}>
      <dl class="values">
        {sorted.map((one) => (
          <Field key={one.field} {...one} />
        ))}
      </dl>
    </Part>
  );
}

/** So many of each kind, in a line. */
export function summaryOf(evidence: readonly ShownEvidence[]): string {
  const counts = order.map(
    (standing) => [standing, evidence.filter((one) => one.standing === standing).length] as const,
  );
  const said = counts.filter(([standing, count]) => count > 0 || standing === "found");
  return `${said.map(([standing, count]) => `${count} ${count === 1 ? standings[standing].text : standings[standing].many}`).join(", ")}.`;
}

function Field({ field, value, standing, check, found }: ShownEvidence): VNode {
  const { tone, text } = standings[standing];
  return (
    <div>
      <dt>
        <OutsideText text={field} most={200} />
      </dt>
      <dd>
        <OutsideValue value={value} />
        <p class="told">
          <Badge tone={tone} text={text} />
          {found === undefined ? null : (
            <span>
              found: <OutsideValue value={found} />
            </span>
          )}
          {check === undefined ? null : (
            <span class="quiet">
              by the check <OutsideText text={check} most={100} />
            </span>
          )}
        </p>
      </dd>
    </div>
  );
}
