import type { VNode } from "preact";
import type { RunRow } from "../../api/board-data.ts";
import { signOf, visibleSigns } from "../../overview/step-signs.ts";

/** The map of a run in one line. */
export function Strip({ row: { map, completed, steps, now } }: { readonly row: RunRow }): VNode {
  return (
    <span class="strip-map" role="img" aria-label={stripLabel(map, completed, steps)}>
      {map.map(({ workflow, signs }) => (
        <span key={workflow} class="strip-part">
          {[...visibleSigns(signs, workflow, now?.workflow)].slice(0, most).map((sign, at) => (
            <Sign key={at} sign={sign} />
          ))}
        </span>
      ))}
    </span>
  );
}

/** The most signs that a strip shows. */
const most = 60;

/** One step of a strip. */
export function Sign({ sign }: { readonly sign: string }): VNode {
  return <i class={`sign ${signOf(sign).name}`} />;
}

function stripLabel(map: RunRow["map"], completed: number, steps: number): string {
  const all = map.map(({ signs }) => signs).join("");
  const said = ["w", "s", "o"].filter((sign) => all.includes(sign)).map((sign) => `one ${signOf(sign).label}`);
  return [`${completed} of ${steps} steps done`, ...said].join(", ");
}
