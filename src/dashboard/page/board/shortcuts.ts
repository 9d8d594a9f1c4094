import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

/** A key or sequence of two keys, and its action. */
export type Binding = { readonly keys: string; readonly words: string; readonly act: () => void };

const kept = "waymark.keys";

/** True if single-key shortcuts are on; speech input would trigger them by accident. */
export const keysAreOn = signal(localStorage.getItem(kept) !== "off");

/** Turns the shortcuts on or off in this browser. */
export function setKeysOn(on: boolean): void {
  keysAreOn.value = on;
  localStorage.setItem(kept, on ? "on" : "off");
}

/** The active shortcuts: those of the board first, then those of the view. */
export const activeBindings = signal<readonly (readonly Binding[])[]>([]);

/** Binds shortcuts while a component is mounted. */
export function useKeys(bindings: readonly Binding[], ...depends: readonly unknown[]): void {
  // Before painting, so that a key applies to what the person sees.
  useLayoutEffect(() => {
    activeBindings.value = [...activeBindings.peek(), bindings];
    return () => {
      activeBindings.value = activeBindings.peek().filter((one) => one !== bindings);
    };
  }, depends);
}

/** Listens for shortcuts until the returned function is called. */
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
    const all = [...activeBindings.value].reverse().flat();
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

/** Focuses the next or previous row. */
export function focusRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")].filter((row) => row.offsetParent !== null);
  const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement));
  const seen = rows.findIndex((row) => row.getBoundingClientRect().top > 60);
  const next = rows[at === -1 ? Math.max(seen, 0) : Math.min(rows.length - 1, Math.max(0, at + by))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
