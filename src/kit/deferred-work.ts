/** Work done after a reply has been sent, or at once when needed. */
export type DeferredWork = {
  /** Schedules the work; repeated calls do it once. */
  schedule(): void;
  /** Does scheduled work now. */
  settle(): void;
};

/** Makes deferred work; at least `rest` milliseconds pass between two rounds unless it is settled. */
export function deferWork(work: () => void, rest = 0): DeferredWork {
  let timer: NodeJS.Timeout | undefined;
  let restedAt = 0;

  function settle(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    work();
    restedAt = performance.now() + rest;
  }

  return {
    schedule() {
      timer ??= setTimeout(settle, Math.max(meanwhile, restedAt - performance.now()));
    },
    settle,
  };
}

/** The time for a reply to leave, in milliseconds. */
const meanwhile = 5;
