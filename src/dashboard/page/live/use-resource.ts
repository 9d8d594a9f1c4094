import { useEffect, useRef, useState } from "preact/hooks";
import type { LiveEvent } from "../../api/board-data.ts";
import { type Answer, getJson } from "../api-client.ts";
import { onEvent } from "./runs.ts";

/** The server's answer, reloaded when a relevant event arrives; the old answer stays meanwhile. */
export type Resource<T> = { readonly answer: Answer<T> | undefined; readonly reload: () => Promise<void> };

/** Loads data and keeps it fresh, with one request at a time and a pause between two. */
export function useResource<T>(
  what: string | undefined,
  bears: (event: LiveEvent) => boolean,
  pause = 120,
  load: (what: string) => Promise<Answer<T>> = getJson,
): Resource<T> {
  const [held, setHeld] = useState<{ readonly what: string | undefined; readonly answered: Answer<T> }>();
  const again = useRef<() => Promise<void>>(async () => undefined);
  const test = useRef(bears);
  test.current = bears;
  useEffect(() => {
    if (what === undefined) return;
    let [isOver, isAsking, isRequested]: [boolean, boolean, boolean] = [false, false, false];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      if (isAsking) {
        isRequested = true;
        return;
      }
      isAsking = true;
      const answered = await load(what);
      isAsking = false;
      if (isOver) return;
      setHeld((before) =>
        "no" in answered && answered.status === 0 && before?.what === what && "data" in before.answered
          ? before
          : { what, answered },
      );
      if (isRequested) soon();
    };
    const soon = (): void => {
      isRequested = false;
      timer ??= setTimeout(() => {
        timer = undefined;
        void look();
      }, pause);
    };
    again.current = look;
    void look();
    const deaf = onEvent((event) => {
      if (event.type === "hello" || test.current(event)) soon();
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
      deaf();
    };
  }, [what, pause, load]);
  return { answer: held?.what === what ? held?.answered : undefined, reload: () => again.current() };
}
