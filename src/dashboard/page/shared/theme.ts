import { effect, signal } from "@preact/signals";

/** A theme: light, dark, or the system's. */
export type Theme = "auto" | "light" | "dark";

const kept = "waymark.theme";
const themes: readonly Theme[] = ["auto", "light", "dark"];

/** The theme chosen in this browser. */
export const theme = signal<Theme>(themes.find((one) => one === localStorage.getItem(kept)) ?? "auto");

/** Applies the chosen theme and stores it. */
export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    localStorage.setItem(kept, theme.value);
  });
}

/** Switches to the next theme. */
export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? "auto";
}
