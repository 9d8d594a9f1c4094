import type { VNode } from "preact";
import type { ProcessData } from "../../api/process-data.ts";
import { Badge, Section } from "../shared/frame.tsx";
import { UntrustedLine, UntrustedText } from "../shared/untrusted-text.tsx";

/** The number of findings shown; `waymark check` prints all. */
const most = 100;

/** The findings of `waymark check`. */
export function Findings({ findings }: { readonly findings: NonNullable<ProcessData["findings"]> }): VNode {
  return (
    <Section
      title="Findings"
      about={findings.length === 0 ? "None: all definitions are valid." : `${findings.length} to review.`}
    >
      <ul class="rows">
        {findings.slice(0, most).map(({ severity, file, line, message, fix }, at) => (
          <li key={at}>
            <Badge tone={severity === "error" ? "bad" : "warn"} text={severity} />
            <code>
              <UntrustedLine text={line === undefined ? file : `${file}:${line}`} most={120} />
            </code>
            <span>
              <UntrustedText text={message} most={400} />
            </span>
            {fix === undefined ? null : (
              <span class="quiet">
                <UntrustedText text={fix} most={400} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {findings.length > most ? <p class="quiet">{findings.length - most} more: run waymark check</p> : null}
    </Section>
  );
}
