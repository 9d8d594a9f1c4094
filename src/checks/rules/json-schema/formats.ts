import { isIPv4, isIPv6 } from "node:net";

/** The supported formats, each checked in linear time. */
export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date", isDate],
  ["time", isTime],
  ["date-time", isDateTime],
  ["email", isEmail],
  ["uri", isUri],
  ["uri-reference", (text) => !/[\s<>"{}|\\^`]/.test(text)],
  ["uuid", (text) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)],
  ["ipv4", isIPv4],
  ["ipv6", isIPv6],
  ["hostname", isHostname],
]);

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.test(text);
}

function isDateTime(text: string): boolean {
  return /^[t ]$/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isEmail(text: string): boolean {
  const [name = "", host = "", ...more] = text.split("@");
  return more.length === 0 && name !== "" && name.length <= 64 && !/[\s<>()[\],;:\\"]/.test(name) && isHostname(host);
}

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]*$/i.test(text);
}

function isHostname(text: string): boolean {
  if (text === "" || text.length > 253) return false;
  return text.split(".").every((label) => label.length <= 63 && /^[a-z0-9-]+$/i.test(label) && !/^-|-$/.test(label));
}
