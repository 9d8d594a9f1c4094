import type { LogRow } from "../../dashboard/overview/log-row.ts";
import { type Detail, eventText, rowDetails, type Tone } from "../../dashboard/overview/log-text.ts";
import { localTime } from "../../kit/local-time.ts";
import { oneLine, paint } from "../terminal/print.ts";

/** Formats a log row as one line, leaving out a session that the row before already named. */
export function logLine(row: LogRow, before?: LogRow): string {
  const what = eventText(row);
  const place = (row.action ?? row.behavior ?? "").split(".").slice(1).join(".");
  const time = paint("dim", localTime(row.timestamp, "second"));
  const details = rowDetails(row.session === before?.session ? withoutSession(row) : row).map(
    (detail) => `  ${paintDetail(detail)}`,
  );
  return `${time}  ${paint(styleOf(what), oneLine(what).padEnd(labelWidth))}  ${oneLine(place).padEnd(36)}${details.join("")}`.trimEnd();
}

/** The width of the longest common label, "session began". */
const labelWidth = 13;

function withoutSession({ session: _, ...row }: LogRow): LogRow {
  return row;
}

function paintDetail({ text, tone }: Detail): string {
  return tone === undefined ? oneLine(text) : paint(colours[tone], oneLine(text));
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
  if (what === "refused" || what === "rejected") return "red";
  return what.startsWith("state") || what === "started over" ? "yellow" : "dim";
}
