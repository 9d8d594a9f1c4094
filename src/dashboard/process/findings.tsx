import type { VNode } from "preact";
import type { ProcessData } from "../../http/board/board-data.ts";
import { Badge, Part } from "../shared/frame.tsx";
import { OutsideLine, OutsideText } from "../shared/outside-text.tsx";

/** So many are shown; waymark check has them all. */
const most = 100;

/** What `waymark check` finds in the definitions. */
export function Findings({ findings }: { readonly findings: NonNullable<ProcessData["findings"]> }): VNode {
  return (
    <Part
      title="What check finds"
      about={findings.length === 0 ? "Nothing: every definition is sound." : `${findings.length} to look at.`}
    >
      <ul class="rows">
        {findings.slice(0, most).map(({ severity, file, line, message, fix }, at) => (
          <li key={at}>
            <Badge tone={severity === "error" ? "bad" : "warn"} text={severity} />
            <code>
              <OutsideLine text={line === undefined ? file : `${file}:${line}`} most={120} />
            </code>
            <span>
              <OutsideText text={message} most={400} />
            </span>
            {fix === undefined ? null : (
              <span class="quiet">
                <OutsideText text={fix} most={400} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {findings.length > most ? <p class="quiet">{findings.length - most} more: waymark check</p> : null}
    </Part>
  );
}
