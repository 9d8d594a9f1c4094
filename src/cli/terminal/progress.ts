/** Reports progress. */
export type Progress = (done: number, total: number) => void;

type Terminal = { readonly isTTY?: boolean; write(text: string): unknown };

/**
 * Shows progress of a long task on one line that is updated in place, after the first second; undefined without a terminal or with `--json`.
 */
export function showProgress(
  words: (done: number, total: number) => string,
  isData = false,
  terminal: Terminal = process.stderr,
  now: () => number = () => performance.now(),
): Progress | undefined {
  if (!terminal.isTTY || (isData && !process.stdout.isTTY)) return undefined;
  let due = now() + delayMs;
  let isShown = false;
  return (done, total) => {
    if (done >= total) {
      if (isShown) terminal.write(clear);
      isShown = false;
    } else if (now() >= due) {
      terminal.write(`${clear}${words(done, total)}`);
      isShown = true;
      due = now() + intervalMs;
    }
  };
}

const clear = "\r\x1b[K";
/** The milliseconds before and between updates. */
const delayMs = 1000;
const intervalMs = 100;
