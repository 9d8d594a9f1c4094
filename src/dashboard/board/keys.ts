import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

/** A key, or two after each other, with what it does. */
export type Binding = { readonly keys: string; readonly words: string; readonly act: () => void };

const kept = "waymark.keys";

/** Whether single keys do anything: who speaks to a computer would press them by talking. */
export const keysAreOn = signal(localStorage.getItem(kept) !== "off");

/** Turns the keys on or off, for this browser. */
export function turnKeys(on: boolean): void {
  keysAreOn.value = on;
  localStorage.setItem(kept, on ? "on" : "off");
}

/** What the keys do now: those of the board first, then those of the view. */
export const bound = signal<readonly (readonly Binding[])[]>([]);

/** Binds keys for as long as a part of the page is shown. */
export function useKeys(bindings: readonly Binding[], ...depends: readonly unknown[]): void {
  // At once: a key that is pressed when something is seen is about what is seen.
  useLayoutEffect(() => {
    bound.value = [...bound.peek(), bindings];
    return () => {
      bound.value = bound.peek().filter((one) => one !== bindings);
    };
  }, depends);
}

/** Listens to the keyboard. */
export function listenToKeys(): () => void {
  let before: { readonly key: string; readonly at: number } | undefined;
  const press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]") !== null) return;
    const { target, key } = event;
    const isTyping = target instanceof Element && target.closest("input:not([type=range]), textarea, select") !== null;
    if (isTyping) {
      if (key === "Escape" && target instanceof HTMLElement) target.blur();
      return;
    }
    if (!keysAreOn.value && key !== "Escape") return;
    const pair = before !== undefined && event.timeStamp - before.at < 1200 ? `${before.key} ${key}` : key;
    const all = [...bound.value].reverse().flat();
    const binding = all.find(({ keys }) => keys === pair) ?? all.find(({ keys }) => keys === key);
    before = { key, at: event.timeStamp };
    if (binding === undefined) return;
    event.preventDefault();
    before = undefined;
    binding.act();
  };
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);
}

/** Goes to the next row of what is listed, or the one before. */
export function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")].filter((row) => row.offsetParent !== null);
  const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement));
  const seen = rows.findIndex((row) => row.getBoundingClientRect().top > 60);
  const next = rows[at === -1 ? Math.max(seen, 0) : Math.min(rows.length - 1, Math.max(0, at + by))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
