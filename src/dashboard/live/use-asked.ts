import { useEffect, useRef, useState } from "preact/hooks";
import type { LiveEvent } from "../../http/board/board-data.ts";
import { type Answered, ask } from "../server.ts";
import { onEvent } from "./known.ts";

/** What the server says, asked again when something happens that bears on it; what was shown stays meanwhile. */
export type Asked<T> = { readonly answered: Answered<T> | undefined; readonly again: () => Promise<void> };

/** Asks for something and keeps it fresh; at most one question is under way, and never two within `pause`. */
export function useAsked<T>(what: string | undefined, bears: (event: LiveEvent) => boolean, pause = 120): Asked<T> {
  const [held, setHeld] = useState<{ readonly what: string | undefined; readonly answered: Answered<T> }>();
  const again = useRef<() => Promise<void>>(async () => undefined);
  const test = useRef(bears);
  test.current = bears;
  useEffect(() => {
    if (what === undefined) return;
    let [isOver, isAsking, isWanted]: [boolean, boolean, boolean] = [false, false, false];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      if (isAsking) {
        isWanted = true;
        return;
      }
      isAsking = true;
      const answered = await ask<T>(what);
      isAsking = false;
      if (isOver) return;
      setHeld((before) =>
        "no" in answered && answered.status === 0 && before?.what === what && "data" in before.answered
          ? before
          : { what, answered },
      );
      if (isWanted) soon();
    };
    const soon = (): void => {
      isWanted = false;
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
  }, [what, pause]);
  return { answered: held?.what === what ? held?.answered : undefined, again: () => again.current() };
}
