import type { LogRow } from "../overview/log-row.ts";
import { type Detail, detailsOf, happened, type Tone } from "../overview/log-words.ts";
import { paint, plain } from "./print.ts";

/** A row of the log as one line for people; a session that the row before named already is not named again. */
export function logLine(row: LogRow, before?: LogRow): string {
  const what = happened(row);
  const place = (row.action ?? row.behavior ?? "").split(".").slice(1).join(".");
  const time = paint("dim", plain(row.timestamp).replace("T", " ").slice(0, 19));
  const details = detailsOf(row.session === before?.session ? unnamed(row) : row).map(
    (detail) => `  ${painted(detail)}`,
  );
  return `${time}  ${paint(styleOf(what), plain(what).padEnd(widest))}  ${plain(place).padEnd(36)}${details.join("")}`.trimEnd();
}

/** The longest of what usually happens: "session began". */
const widest = 13;

function unnamed({ session: _, ...row }: LogRow): LogRow {
  return row;
}

function painted({ text, tone }: Detail): string {
  return tone === undefined ? plain(text) : paint(colours[tone], plain(text));
}

const colours: Readonly<Record<Tone, "green" | "yellow" | "red" | "dim">> = {
  good: "green",
  warn: "yellow",
  bad: "red",
  dim: "dim",
};

function styleOf(what: string): "green" | "red" | "yellow" | "cyan" | "dim" {
  if (what === "completed") return "green";
  if (what === "started") return "cyan";
  if (what === "refused" || what === "declined") return "red";
  return what.startsWith("state") || what === "began anew" ? "yellow" : "dim";
}
