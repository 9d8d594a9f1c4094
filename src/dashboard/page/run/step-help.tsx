import type { VNode } from "preact";
import type { RunRow, StepHelp } from "../../api/board-data.ts";
import { href } from "../board/location.ts";
import { Command, Copy } from "../shared/copy.tsx";
import { UntrustedLine, UntrustedText } from "../shared/untrusted-text.tsx";

/** Lists the actions that a person can take on the current step; open where the run cannot go on by itself. */
export function Help({ help, row }: { readonly help: StepHelp; readonly row: RunRow }): VNode {
  const { now, stands, key } = row;
  return (
    <details class="card help-box" open={stands === "stuck" || now?.blocked !== undefined || row.answered === true}>
      <summary>
        <h2>What you can do</h2>
      </summary>
      <dl>
        {now?.blocked === undefined ? null : (
          <div>
            <dt>Here</dt>
            <dd>
              <a href={href({ view: "inbox", item: { key, workflow: now.workflow, step: now.step } })}>
                Answer or waive it
              </a>
            </dd>
          </div>
        )}
        <div>
          <dt>Tell the assistant</dt>
          <dd>
            <UntrustedText text={help.prompt} most={400} /> <Copy text={help.prompt} what="the prompt" />
          </dd>
        </div>
        {help.commands.map(({ what, command }) => (
          <div key={command}>
            <dt>
              <UntrustedLine text={what} most={200} />
            </dt>
            <dd>
              <Command text={command} /> <Copy text={command} what="the command" />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
