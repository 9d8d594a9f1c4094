import type { VNode } from "preact";
import type { ShownCheck, ShownRule } from "../../http/pages/page-data.ts";
import { Badge, Part } from "../shared/frame.tsx";
import { OutsideText } from "../shared/outside-text.tsx";

/** What Waymark found out by itself. */
export function Checks({ checks }: { readonly checks: readonly ShownCheck[] }): VNode | null {
  if (checks.length === 0) return null;
  const passed = checks.filter(({ status }) => status === "passed").length;
  return (
    <Part title="Checks" about={`${passed} of ${checks.length} passed, run by Waymark.`}>
      <ul class="rows">
        {checks.map(({ name, status, summary, output }) => (
          <li key={name}>
            <Badge tone={status === "passed" ? "good" : "bad"} text={status} />
            <strong>
              <OutsideText text={name} most={100} />
            </strong>
            <span class="quiet">
              <OutsideText text={summary} most={500} />
            </span>
            {output === undefined ? null : (
              <pre>
                <OutsideText text={output} />
              </pre>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** What the rules say of the files. */
export function Rules({ rules }: { readonly rules: readonly ShownRule[] }): VNode | null {
  if (rules.length === 0) return null;
  return (
    <Part title="Rules" about={`${rules.length} found broken.`}>
      <ul class="rows">
        {rules.map(({ rule, severity, file, line, message }) => (
          <li key={`${rule} ${file} ${line} ${message}`}>
            <Badge tone={severity === "error" ? "bad" : "warn"} text={severity} />
            <strong>
              <OutsideText text={rule} most={200} />
            </strong>
            <code>
              <OutsideText text={line === undefined ? file : `${file}:${line}`} most={300} />
            </code>
            <span>
              <OutsideText text={message} most={1000} />
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}
