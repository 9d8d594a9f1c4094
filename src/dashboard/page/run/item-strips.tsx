import type { VNode } from "preact";
import type { MapItem, MapRow, MapStep } from "../../api/board-data.ts";
import { href } from "../board/location.ts";
import { Sign } from "../runs/strip.tsx";
import { UntrustedLine, visibleText } from "../shared/untrusted-text.tsx";

/** The items of each step: one strip for each, with a link to its session. */
export function ItemStrips({ workflows }: { readonly workflows: readonly MapRow[] }): VNode | null {
  const steps = workflows.flatMap(({ workflow, steps: own }) =>
    own.flatMap((step) => (step.items === undefined ? [] : [{ workflow, step, items: step.items }])),
  );
  if (steps.length === 0) return null;
  return (
    <>
      {steps.map(({ workflow, step, items }) => (
        <section
          key={`${workflow}.${step.step}`}
          class="item-strips"
          aria-label={`Items of ${visibleText(step.label, 80)}`}
        >
          <h3>
            <UntrustedLine text={step.label} most={80} /> <span class="quiet small">{countText(items)}</span>
          </h3>
          <ul>
            {items.shown.map((item) => (
              <ItemStrip key={item.item} item={item} />
            ))}
          </ul>
          {items.shown.length < items.total ? (
            <p class="quiet small">and {items.total - items.shown.length} more</p>
          ) : null}
        </section>
      ))}
    </>
  );
}

function countText({ total, shown }: NonNullable<MapStep["items"]>): string {
  const settled = shown.filter(({ state }) => state === "settled" || state === "dropped").length;
  return shown.length < total ? `${total} items` : `${settled} of ${total} settled`;
}

function ItemStrip({ item: { item, title, state, outcome, signs, key } }: { readonly item: MapItem }): VNode {
  const how = outcome === undefined || outcome === "done" ? stateLabels[state] : `${stateLabels[state]} (${outcome})`;
  const name = (
    <>
      <b>
        <UntrustedLine text={item} most={40} />
      </b>{" "}
      {title === item ? null : <UntrustedLine text={title} most={100} />}
    </>
  );
  return (
    <li>
      {key === undefined ? <span>{name}</span> : <a href={href({ view: "run", key })}>{name}</a>}
      <span class="strip-map" aria-hidden="true">
        <span class="strip-part">
          {[...signs].map((sign, at) => (
            <Sign key={at} sign={sign} />
          ))}
        </span>
      </span>
      <span class="quiet small">{visibleText(how, 60)}</span>
    </li>
  );
}

const stateLabels: Readonly<Record<MapItem["state"], string>> = {
  waiting: "not started",
  open: "open",
  settled: "settled",
  dropped: "dropped",
  failed: "not settled",
};
