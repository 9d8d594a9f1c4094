import type { VNode } from "preact";
import type { RunRow } from "../../api/board-data.ts";
import { conditions } from "../../overview/conditions.ts";
import { evidenceCountText } from "../../overview/evidence-text.ts";
import { rowText } from "../../overview/step-text.ts";
import { href } from "../board/location.ts";
import { EvidenceBar } from "../inbox/evidence-bar.tsx";
import { Since, TimeAgo } from "../shared/clock.tsx";
import { Icon } from "../shared/icon.tsx";
import { UntrustedLine, visibleText } from "../shared/untrusted-text.tsx";
import { Strip } from "./strip.tsx";

/** A run as a row: its name, map, current step and age. */
export function Row({ row }: { readonly row: RunRow }): VNode {
  const { now, stands } = row;
  const since = now?.waitingSince ?? now?.since;
  return (
    <li class="row-frame">
      <a class={`row ${stands}`} data-row={row.key} href={href({ view: "run", key: row.key })}>
        <span class="what">
          <strong>
            <UntrustedLine text={row.title} most={60} />
          </strong>{" "}
          <span class="quiet small">
            <UntrustedLine text={row.workflow === row.title ? row.kind : row.workflow} most={40} />
            {row.run === undefined ? null : (
              <>
                {" · "}
                <UntrustedLine text={row.run} most={30} />
              </>
            )}
          </span>
        </span>
        <Strip row={row} />
        <span class="now" title={visibleText(rowText(row), 200)}>
          <Icon name={now?.checkingSince === undefined ? conditions[stands].icon : "half"} />
          <UntrustedLine text={now !== undefined && isPlainWait(row) ? now.label : rowText(row)} most={60} />
        </span>
        <span class="number in-step">
          {since === undefined || stands === "finished" || stands === "archived" ? "" : <Since at={since} />}
        </span>
        <span class="evidence-cell" title={evidenceCountText(row.evidence)}>
          <EvidenceBar looked={row.evidence} isShort />
        </span>
        <span class="number refused">
          {row.refusals === 0 ? (
            <span class="quiet">–</span>
          ) : (
            <span class={stands === "stuck" ? "times bad" : "times"}>{row.refusals}</span>
          )}
        </span>
        <span class="number moved quiet">{row.changed === null ? "" : <TimeAgo at={row.changed} />}</span>
      </a>
    </li>
  );
}

/** Waiting for approval: the row's symbol says so, and its width is for the step. */
function isPlainWait({ stands, now }: RunRow): boolean {
  return stands === "waits" && now?.blocked === undefined;
}
