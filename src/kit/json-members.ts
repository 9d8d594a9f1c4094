import { createScanner, type Node } from "jsonc-parser";
import { isObject, type Json } from "./json.ts";
import { indentAt, layoutOf } from "./text-layout.ts";

/** Adds a member at the end of an object (with its key) or a list; every other byte stays. */
export function insertMember(text: string, container: Node, value: Json, key?: string): string {
  const { unit, eol } = layoutOf(text);
  const close = container.offset + container.length - 1;
  const indent = indentAt(text, container.offset);
  const members = container.children ?? [];
  const last = members.at(-1);
  const member = (within: string): string =>
    `${key === undefined ? "" : `${JSON.stringify(key)}: `}${formatValue(value, within, unit, eol)}`;
  if (last === undefined) {
    const inside = text.slice(container.offset + 1, close);
    const end = inside.includes("\n") ? "" : eol + indent;
    return insert(text, container.offset + 1, `${eol}${indent}${unit}${member(indent + unit)}${end}`);
  }
  const end = last.offset + last.length;
  const tail = text.slice(end, close);
  const trailing = commaIn(tail);
  const first = members[0] ?? last;
  const isSpread = text.slice(container.offset, first.offset).includes("\n");
  // After the comments on the last member's line, which belong to that member.
  const at = isSpread ? end + tail.trimEnd().length : end + (trailing === undefined ? 0 : trailing + 1);
  const within = isSpread ? indentAt(text, last.offset) : "";
  const added = isSpread ? `${eol}${within}${member(within)}` : onOneLine(text, value, key);
  // A trailing comma is kept.
  return trailing === undefined ? insert(insert(text, at, added), end, ",") : insert(text, at, `${added},`);
}

/** Removes a member and its comma from an object or list; comments beside it stay. */
export function removeMember(text: string, container: Node, member: Node): string {
  const members = container.children ?? [];
  const index = members.indexOf(member);
  const before = members[index - 1];
  const next = members[index + 1];
  const end = member.offset + member.length;
  const from = before === undefined ? container.offset + 1 : before.offset + before.length;
  const lead = text.slice(from, member.offset);
  const close = container.offset + container.length - 1;
  const comma = commaIn(text.slice(end, next?.offset ?? close));
  const rest = comma === undefined ? text.slice(end) : cut(text, end, end + comma);
  const held = lead.trimEnd();
  // The following text must not end up inside a line comment.
  const isComment = /\/\/[^\n]*$/.test(held) && !/^[\t ]*\r?\n/.test(rest);
  const without = text.slice(0, from) + (isComment ? lead : held) + rest;
  if (next !== undefined || before === undefined || comma !== undefined) return without;
  const stale = commaIn(lead);
  return stale === undefined ? without : without.slice(0, from + stale) + without.slice(from + stale + 1);
}

/** Formats a member for a container on one line, without spaces where the text has none. */
function onOneLine(text: string, value: Json, key: string | undefined): string {
  if (/[:,] /.test(text)) return ` ${compact(value, key)}`;
  return `${key === undefined ? "" : `${JSON.stringify(key)}:`}${JSON.stringify(value)}`;
}

function cut(text: string, end: number, comma: number): string {
  return text.slice(end, comma) + text.slice(comma + 1);
}

function insert(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}

/** The position of the comma between two members, after any comment. */
function commaIn(between: string): number | undefined {
  const scanner = createScanner(between);
  while (scanner.getPosition() < between.length) {
    scanner.scan();
    const at = scanner.getTokenOffset();
    if (between[at] === ",") return at;
  }
  return undefined;
}

const mostOnALine = 100;

/** Formats a value over several lines; short lists stay on one. */
export function formatValue(value: Json, indent: string, unit: string, eol: string): string {
  const inner = indent + unit;
  const spread = (open: string, members: readonly string[], close: string): string =>
    `${open}${eol}${members.map((member) => inner + member).join(`,${eol}`)}${eol}${indent}${close}`;
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([key, member]) => `${JSON.stringify(key)}: ${formatValue(member, inner, unit, eol)}`,
    );
    return spread("{", members, "}");
  }
  const line = compact(value);
  if (!Array.isArray(value) || line.length <= mostOnALine) return line;
  const items: readonly Json[] = value;
  return spread(
    "[",
    items.map((item) => compact(item)),
    "]",
  );
}

function compact(value: Json, key?: string): string {
  if (key !== undefined) return `${JSON.stringify(key)}: ${compact(value)}`;
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, member]) => compact(member, name));
    return `{ ${members.join(", ")} }`;
  }
  const items: readonly Json[] | undefined = Array.isArray(value) ? value : undefined;
  return items === undefined ? JSON.stringify(value) : `[${items.map((item) => compact(item)).join(", ")}]`;
}
