import { oneLine } from "../../kit/one-line.ts";

/** Cuts an untrusted text to one visible line. */
export function cutLine(text: string, room = 160): string {
  return oneLine(text.slice(0, room * 8), room);
}

/** Cuts an untrusted value; a longer one becomes the start of its JSON. */
export function cutValue(value: unknown, room = 600): unknown {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return text.length <= room ? (value ?? null) : `${text.slice(0, room - 1)}…`;
}

/** Cuts the values of an object, and their number. */
export function cutValues(values: object = {}, room = 600, most = 60): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values)
      .slice(0, most)
      .map(([name, value]) => [cutLine(name, 80), cutValue(value, room)]),
  );
}
