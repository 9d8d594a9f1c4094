import { oneLine } from "../../words/one-line.ts";

/** A text of somebody's for a list: one line of it, without what is not seen. */
export function line(text: string, room = 160): string {
  return oneLine(text.slice(0, room * 8), room);
}

/** A value of somebody's, no longer than this: what is longer is shown as the beginning of its JSON. */
export function cutValue(value: unknown, room = 600): unknown {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return text.length <= room ? (value ?? null) : `${text.slice(0, room - 1)}…`;
}

/** The values of an object, each cut, and no more than so many of them. */
export function cutValues(values: object = {}, room = 600, most = 60): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values)
      .slice(0, most)
      .map(([name, value]) => [line(name, 80), cutValue(value, room)]),
  );
}
