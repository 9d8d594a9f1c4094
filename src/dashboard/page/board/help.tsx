import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../shared/button.tsx";
import { activeBindings, keysAreOn, setKeysOn } from "./shortcuts.ts";

/** True while the keyboard shortcuts are shown. */
export const isHelpOpen = signal(false);

/** The dialog that lists the keyboard shortcuts. */
export function Help(): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help" onClose={close}>
      <h2 id="help">Keyboard shortcuts</h2>
      <dl>
        {(isOpen ? activeBindings.value.flat() : []).map(({ keys, words }) => (
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
          onChange={({ currentTarget }) => setKeysOn(currentTarget.checked)}
        />{" "}
        Enable single-key shortcuts
      </label>
      <div class="buttons">
        <Button onClick={close}>Close</Button>
      </div>
    </dialog>
  );
}
