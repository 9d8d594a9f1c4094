import { effect, signal } from "@preact/signals";

/** Light, dark, or as the system has it. */
export type Theme = "auto" | "light" | "dark";

const kept = "waymark.theme";
const themes: readonly Theme[] = ["auto", "light", "dark"];

/** What this browser was told. */
export const theme = signal<Theme>(themes.find((one) => one === localStorage.getItem(kept)) ?? "auto");

/** Shows the page as was chosen, and remembers it. */
export function keepTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    localStorage.setItem(kept, theme.value);
  });
}

/** Goes to the next of the three. */
export function turnTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? "auto";
}
