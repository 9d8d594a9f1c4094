/** Output of the demos: plain lines, with colours only on a terminal. */
export const isTerminal =
  (process.stdout.isTTY || process.env.FORCE_COLOR !== undefined) && process.env.NO_COLOR === undefined;

export const paint = (code, text) => (isTerminal ? `\x1b[${code}m${text}\x1b[0m` : text);

export const say = (text = "") => console.log(text);

export const scene = (number, text) => say(`\n${paint(1, `${number}. ${text}`)}`);

export const indent = (text) =>
  text
    .split("\n")
    .map((line) => `     ${line}`)
    .join("\n");
