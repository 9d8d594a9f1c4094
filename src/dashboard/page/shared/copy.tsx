import { useSignal } from "@preact/signals";
import { Fragment, type VNode } from "preact";
import { Button } from "./button.tsx";
import { UntrustedText } from "./untrusted-text.tsx";

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

/** A command to copy, which breaks only between words. */
export function Command({ text }: { readonly text: string }): VNode {
  return (
    <code class="command">
      {text.split(" ").map((word, at) => (
        <Fragment key={at}>
          {at === 0 ? "" : " "}
          <span>
            <UntrustedText text={word} most={300} />
          </span>
        </Fragment>
      ))}
    </code>
  );
}
