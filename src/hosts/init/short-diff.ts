/** The differing lines of two texts with two lines around them; enough for a change in one place. */
export function shortDiff(before: string, after: string): readonly string[] {
  const old = before.split("\n");
  const now = after.split("\n");
  const same = (index: number): boolean => old[index] === now[index];
  let head = 0;
  while (head < Math.min(old.length, now.length) && same(head)) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const around = 2;
  return [
    ...now.slice(Math.max(0, head - around), head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
    ...now.slice(now.length - tail, now.length - tail + around).map((line) => `  ${line}`),
  ];
}
