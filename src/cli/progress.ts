/** Says how far something has come. */
export type Progress = (done: number, total: number) => void;

type Terminal = { readonly isTTY?: boolean; write(text: string): unknown };

/**
 * Shows at a terminal how far something that takes long has come: nothing in the first second, then one line that is
 * written anew, and is gone at the end. Undefined where nobody watches, or data goes on to a script.
 */
export function progressOf(
  words: (done: number, total: number) => string,
  isData = false,
  terminal: Terminal = process.stderr,
  now: () => number = () => performance.now(),
): Progress | undefined {
  if (!terminal.isTTY || (isData && !process.stdout.isTTY)) return undefined;
  let due = now() + patience;
  let isShown = false;
  return (done, total) => {
    if (done >= total) {
      if (isShown) terminal.write(clear);
      isShown = false;
    } else if (now() >= due) {
      terminal.write(`${clear}${words(done, total)}`);
      isShown = true;
      due = now() + pause;
    }
  };
}

const clear = "\r\x1b[K";
/** In milliseconds: whoever gets an answer sooner needs nothing else, and nobody reads faster than this. */
const patience = 1000;
const pause = 100;
