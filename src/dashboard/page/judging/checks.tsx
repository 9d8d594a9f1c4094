import type { VNode } from "preact";
import { countText } from "../../../kit/count-text.ts";
import type { ShownCheck, ShownRule } from "../../api/pages/page-data.ts";
import { durationText } from "../../overview/duration-text.ts";
import { Badge, Section } from "../shared/frame.tsx";
import { UntrustedText } from "../shared/untrusted-text.tsx";

/** The results of the checks that Waymark ran. */
export function Checks({ checks }: { readonly checks: readonly ShownCheck[] }): VNode | null {
  if (checks.length === 0) return null;
  const passed = checks.filter(({ status }) => status === "passed").length;
  return (
    <Section title="Checks" about={`${passed} of ${checks.length} passed, run by Waymark.`}>
      <CheckRows checks={checks} />
    </Section>
  );
}

/** A row for each check: its name, its result, and what it wrote if it failed. */
export function CheckRows({
  checks,
}: {
  readonly checks: readonly (ShownCheck & { readonly seconds?: number })[];
}): VNode {
  return (
    <ul class="rows">
      {checks.map(({ name, status, summary, seconds, output }) => (
        <li key={name}>
          <Badge tone={status === "passed" ? "good" : "bad"} text={status} />
          <strong>
            <UntrustedText text={name} most={100} />
          </strong>
          <span class="quiet">
            <UntrustedText text={summary} most={500} />
            {seconds === undefined ? "" : ` (${durationText(seconds)})`}
          </span>
          {output === undefined || output.trim() === "" ? null : (
            <pre>
              <UntrustedText text={output} />
            </pre>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The rule violations in the files. */
export function Rules({ rules }: { readonly rules: readonly ShownRule[] }): VNode | null {
  if (rules.length === 0) return null;
  const errors = rules.filter(({ severity }) => severity === "error").length;
  return (
    <Section title="Rules" about={`${countText(errors, "error")}, ${countText(rules.length - errors, "warning")}.`}>
      <ul class="rows">
        {rules.map(({ rule, severity, file, line, message }) => (
          <li key={`${rule} ${file} ${line} ${message}`}>
            <Badge tone={severity === "error" ? "bad" : "warn"} text={severity} />
            <strong>
              <UntrustedText text={rule} most={200} />
            </strong>
            <code>
              <UntrustedText text={line === undefined ? file : `${file}:${line}`} most={300} />
            </code>
            <span>
              <UntrustedText text={message} most={1000} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
