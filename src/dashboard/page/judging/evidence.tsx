import type { VNode } from "preact";
import type { ShownEvidence } from "../../api/pages/page-data.ts";
import { Badge, Section, type Tone } from "../shared/frame.tsx";
import { UntrustedName, UntrustedText, UntrustedValue } from "../shared/untrusted-text.tsx";

type EvidenceStatus = ShownEvidence["standing"];

/** The label of each evidence status. */
const evidenceLabels: Readonly<
  Record<EvidenceStatus, { readonly tone: Tone; readonly text: string; readonly many: string }>
> = {
  differs: { tone: "bad", text: "contradicted", many: "contradicted" },
  found: { tone: "good", text: "verified by Waymark", many: "verified by Waymark" },
  agrees: { tone: "good", text: "claimed and verified", many: "claimed and verified" },
  word: { tone: "warn", text: "claimed", many: "claimed" },
};

const statusOrder: readonly EvidenceStatus[] = ["differs", "found", "agrees", "word"];

/** The evidence, sorted by status. */
export function Evidence({ evidence }: { readonly evidence: readonly ShownEvidence[] }): VNode | null {
  if (evidence.length === 0) return null;
  const sorted = statusOrder.flatMap((status) => evidence.filter((one) => one.standing === status));
  return (
    <Section title="Evidence" about={evidenceSummary(evidence)}>
      <dl class="values">
        {sorted.map((one) => (
          <Field key={one.field} {...one} />
        ))}
      </dl>
    </Section>
  );
}

/** Counts the evidence by status in one line. */
export function evidenceSummary(evidence: readonly ShownEvidence[]): string {
  const counts = statusOrder.map(
    (status) => [status, evidence.filter((one) => one.standing === status).length] as const,
  );
  const said = counts.filter(([status, count]) => count > 0 || status === "found");
  return `${said.map(([status, count]) => `${count} ${count === 1 ? evidenceLabels[status].text : evidenceLabels[status].many}`).join(", ")}.`;
}

function Field({ field, value, standing: status, check, found }: ShownEvidence): VNode {
  const { tone, text } = evidenceLabels[status];
  return (
    <div>
      <dt>
        <UntrustedName name={field} />
      </dt>
      <dd>
        <UntrustedValue value={value} />
        <p class="told">
          <Badge tone={tone} text={text} />
          {found === undefined ? null : (
            <span>
              found: <UntrustedValue value={found} />
            </span>
          )}
          {check === undefined ? null : (
            <span class="quiet">
              by the check <UntrustedText text={check} most={100} />
            </span>
          )}
        </p>
      </dd>
    </div>
  );
}
