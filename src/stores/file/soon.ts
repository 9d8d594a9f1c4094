/** Work that nobody waits for: done once an answer has had time to leave, or at once where somebody cannot go on without it. */
export type Soon = {
  /** Has it done soon; asked for again meanwhile, it is done once. */
  ask(): void;
  /** Does it now, where it was asked for and is not done yet. */
  settle(): void;
};

/** Makes work that can be asked for; `rest` milliseconds lie between doing it and doing it again, unless somebody settles it. */
export function soon(work: () => void, rest = 0): Soon {
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
    ask() {
      timer ??= setTimeout(settle, Math.max(meanwhile, restedAt - performance.now()));
    },
    settle,
  };
}

/** So long an answer has to leave, in milliseconds. */
const meanwhile = 5;
