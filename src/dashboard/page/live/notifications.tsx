import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../shared/button.tsx";

/** The browser remembers here that a person was asked. */
const askedKey = "waymark.notifications.asked";

/** Asks once if the browser may notify, and notifies a tab in the background when something new waits. */
export function Notifications({ waiting }: { readonly waiting: readonly string[] }): VNode | null {
  const isAsked = useSignal(readAsked());
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  useEffect(() => {
    const before = known.current;
    known.current = new Set(waiting);
    const isNew = before !== undefined && waiting.some((one) => !before.has(one));
    if (isNew && document.hidden && permission() === "granted")
      new Notification("Waymark", { body: "Something is waiting for you.", tag: "waymark" });
  }, [waiting.join("\n")]);
  if (isAsked.value || permission() !== "default" || waiting.length === 0) return null;
  const answer = async (wanted: boolean): Promise<void> => {
    keepAsked();
    isAsked.value = true;
    if (wanted) await Notification.requestPermission();
  };
  return (
    <p class="strip plain" role="status">
      Should this browser tell you when something waits?{" "}
      <Button kind="quiet" onClick={() => void answer(true)}>
        Notify me
      </Button>{" "}
      <Button kind="quiet" onClick={() => void answer(false)}>
        No
      </Button>
    </p>
  );
}

function permission(): NotificationPermission | "none" {
  return "Notification" in globalThis ? Notification.permission : "none";
}

function readAsked(): boolean {
  try {
    return localStorage.getItem(askedKey) !== null;
  } catch {
    return true;
  }
}

function keepAsked(): void {
  try {
    localStorage.setItem(askedKey, "yes");
  } catch {
    // a browser that keeps nothing asks again in the next tab
  }
}
