import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { Button } from "./button.tsx";

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
    <Button kind="quiet" class="copy" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      <span role="status">{isCopied.value ? "Copied" : "Copy"}</span>
    </Button>
  );
}
