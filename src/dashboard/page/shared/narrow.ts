import { signal } from "@preact/signals";

const query = matchMedia("(max-width: 47.5rem)");

/** True on a screen as narrow as a phone; the styles switch at the same width. */
export const isNarrow = signal(query.matches);
query.addEventListener("change", () => {
  isNarrow.value = query.matches;
});
