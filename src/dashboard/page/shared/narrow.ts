import { signal } from "@preact/signals";

/** True on a screen as narrow as a phone, where the styles say that it is (`style/breakpoints.css`). */
export const isNarrow = signal(isPhone());
addEventListener("resize", () => {
  isNarrow.value = isPhone();
});

function isPhone(): boolean {
  return getComputedStyle(document.documentElement).getPropertyValue("--is-phone").trim() === "yes";
}
