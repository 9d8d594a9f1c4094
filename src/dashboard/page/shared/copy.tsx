import { useSignal } from "@preact/signals";
import type { VNode } from "preact";

/** A button that copies a text. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }): VNode {
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      isCopied.value = true;
      setTimeout(() => (isCopied.value = false), 2000);
    } catch {
      isCopied.value = false;
    }
  };
  return (
    <button type="button" class="quiet-button copy" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      <span role="status">{isCopied.value ? "Copied" : "Copy"}</span>
    </button>
  );
}
