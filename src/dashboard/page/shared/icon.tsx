import type { VNode } from "preact";

/** The paths of the icons, each in a square of 16. */
const paths = {
  check: "M3 8.5l3.2 3.2L13 5",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  cross: "M4 4l8 8M12 4l-8 8",
  play: "M5 3.5l7 4.5-7 4.5z",
  dot: "M8 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
  moon: "M12.5 9.8A5.3 5.3 0 0 1 6.2 3.5a5.3 5.3 0 1 0 6.3 6.3z",
  skip: "M3.5 4l4 4-4 4M8.5 4l4 4-4 4",
  person: "M8 3.2a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6zM3.5 13.2c.4-2.6 2.2-3.9 4.5-3.9s4.1 1.3 4.5 3.9z",
  half: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3.1 3.1l1.1 1.1M11.8 11.8l1.1 1.1M12.9 3.1l-1.1 1.1M4.2 11.8l-1.1 1.1",
  box: "M3 3.5h10v3H3zM4 6.5v6h8v-6M6.5 9h3",
  key: "M10.5 3a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8.7 7.3L3 13v0h2.5v-2h2V9.5",
  talk: "M3 3.5h10v7H7.5L4.5 13v-2.5H3z",
  flag: "M4 14V2.5h8l-2 3 2 3H4",
} as const;

export type IconName = keyof typeof paths;

const solid: ReadonlySet<IconName> = new Set(["play", "dot", "person"]);

/** An icon beside a label that says the same. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class={solid.has(name) ? "icon solid" : "icon"} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
      {name === "half" ? <path class="filled" d="M8 2.5a5.5 5.5 0 1 0 0 11z" /> : null}
    </svg>
  );
}
