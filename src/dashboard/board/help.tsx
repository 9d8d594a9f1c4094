import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { bound, keysAreOn, turnKeys } from "./keys.ts";

/** Whether what the keys do is shown. */
export const isHelping = signal(false);

/** What every key does here. */
export function Help(): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelping.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const close = (): void => {
    isHelping.value = false;
  };
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help" onClose={close}>
      <h2 id="help">Keys</h2>
      <dl>
        {(isOpen ? bound.value.flat() : []).map(({ keys, words }) => (
          <div key={keys + words}>
            <dt>
              {keys.split(" ").map((key, at) => (
                <kbd key={at}>{key === "Escape" ? "Esc" : key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Enter</kbd>
          </dt>
          <dd>open the row</dd>
        </div>
      </dl>
      <label class="tick">
        <input
          type="checkbox"
          checked={keysAreOn.value}
          onChange={({ currentTarget }) => turnKeys(currentTarget.checked)}
        />{" "}
        Single keys do this
      </label>
      <div class="buttons">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </dialog>
  );
}
