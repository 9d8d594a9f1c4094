import type { VNode } from "preact";
import type { RunRow } from "../../http/board/board-data.ts";
import { drawnSigns, signClass, signWords } from "../board/stands.ts";

/** Where a run stands on its map, in one line: what is done, where it is, and what is still to come. */
export function Strip({ row: { map, completed, steps, now } }: { readonly row: RunRow }): VNode {
  return (
    <span class="strip-map" role="img" aria-label={inWords(map, completed, steps)}>
      {map.map(({ workflow, signs }) => (
        <span key={workflow} class="strip-part">
          {[...drawnSigns(signs, workflow, now?.workflow)].slice(0, most).map((sign, at) => (
            <Sign key={at} sign={sign} />
          ))}
        </span>
      ))}
    </span>
  );
}

/** A strip of more signs than this would be a line. */
const most = 60;

/** One step of a strip. */
export function Sign({ sign }: { readonly sign: string }): VNode {
  return <i class={signClass(sign)} />;
}

function inWords(map: RunRow["map"], completed: number, steps: number): string {
  const all = map.map(({ signs }) => signs).join("");
  const said = ["w", "s", "o"].filter((sign) => all.includes(sign)).map((sign) => `one ${signWords[sign]}`);
  return [`${completed} of ${steps} steps done`, ...said].join(", ");
}
