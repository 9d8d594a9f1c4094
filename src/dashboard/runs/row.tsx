import type { VNode } from "preact";
import type { RunRow } from "../../http/board/board-data.ts";
import { href } from "../board/place.ts";
import { standings } from "../board/stands.ts";
import { Icon } from "../shared/icon.tsx";
import { Moment, Since } from "../shared/moment.tsx";
import { OutsideLine } from "../shared/outside-text.tsx";
import { Strip } from "./strip.tsx";

/** One run as a row: what it is, its map, where it is and for how long. */
export function Row({ row }: { readonly row: RunRow }): VNode {
  const { now, stands } = row;
  const since = now?.waitingSince ?? now?.since;
  return (
    <li class="row-frame">
      <a class={`row ${stands}`} data-row href={href({ view: "run", key: row.key })}>
        <span class="what">
          <strong>
            <OutsideLine text={row.title} most={60} />
          </strong>{" "}
          <span class="quiet small">
            <OutsideLine text={row.workflow === row.title ? row.kind : row.workflow} most={40} />
            {row.run === undefined ? null : (
              <>
                {" · "}
                <OutsideLine text={row.run} most={30} />
              </>
            )}
          </span>
        </span>
        <Strip row={row} />
        <span class="now">
          <Icon name={now?.checkingSince === undefined ? standings[stands].icon : "half"} />
          <OutsideLine text={nowIn(row)} most={60} />
        </span>
        <span class="number in-step">
          {since === undefined || stands === "finished" || stands === "archived" ? "" : <Since at={since} />}
        </span>
        <span class="number refused">
          {row.refusals === 0 ? (
            <span class="quiet">–</span>
          ) : (
            <span class={stands === "stuck" ? "times bad" : "times"}>{row.refusals}</span>
          )}
        </span>
        <span class="number moved quiet">{row.changed === null ? "" : <Moment at={row.changed} />}</span>
      </a>
    </li>
  );
}

function nowIn({ now, stands }: RunRow): string {
  if (now === undefined) return standings[stands].badge;
  return now.checkingSince === undefined ? now.label : `${now.label}: checks run`;
}
