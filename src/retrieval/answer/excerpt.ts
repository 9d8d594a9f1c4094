import { estimateTokens } from "../../kit/estimate-tokens.ts";
import type { EachTerm } from "../text/terms.ts";
import type { Query } from "./query.ts";

/** A passage cut to its token budget. */
export type Excerpt = { readonly content: string; readonly tokens: number; readonly lines: readonly [number, number] };

/** Cuts a passage to a token budget: whole lines around the one that matches the query best. */
export function excerpt(text: string, firstLine: number, room: number, query: Query, eachTerm: EachTerm): Excerpt {
  const whole = text.trim();
  const lines = text.trimEnd().split("\n");
  const lead = lines.findIndex((line) => line.trim() !== "");
  if (estimateTokens(whole) <= room)
    return { content: whole, tokens: estimateTokens(whole), lines: [firstLine + lead, firstLine + lines.length - 1] };
  const costs = lines.map((line) => estimateTokens(`${line}\n`));
  const best = tellingLine(lines, query, eachTerm);
  const left = room - cutMark.length * 2;
  if ((costs[best] ?? 0) > left) {
    const content = cutLine(lines[best] ?? "", left, query);
    return { content, tokens: estimateTokens(content), lines: [firstLine + best, firstLine + best] };
  }
  const [from, to] = windowAround(costs, best, left);
  const shown = lines
    .slice(from, to + 1)
    .join("\n")
    .trim();
  const content = `${from > lead ? `${cutMark}\n` : ""}${shown}${to < lines.length - 1 ? `\n${cutMark}` : ""}`;
  return { content, tokens: estimateTokens(content), lines: [firstLine + from, firstLine + to] };
}

/** Divides a budget evenly; what one text does not need goes to the others in order. */
export function shares(costs: readonly number[], budget: number): number[] {
  const even = Math.floor(budget / Math.max(costs.length, 1));
  let spare = budget - costs.reduce((sum, cost) => sum + Math.min(cost, even), 0);
  return costs.map((cost) => {
    const more = Math.min(Math.max(cost - even, 0), spare);
    spare -= more;
    return Math.min(cost, even) + more;
  });
}

const cutMark = "…";

function tellingLine(lines: readonly string[], query: Query, eachTerm: EachTerm): number {
  let best = 0;
  let most = -1;
  lines.forEach((line, at) => {
    const found = new Set<string>();
    eachTerm(line.slice(0, 20_000), (term) => {
      if (query.terms.has(term)) found.add(term);
    });
    if (found.size > most && line.trim() !== "") [best, most] = [at, found.size];
  });
  return best;
}

/** Grows from the best line, down before up, as far as whole lines fit. */
function windowAround(costs: readonly number[], best: number, room: number): [number, number] {
  let [from, to] = [best, best];
  let left = room - (costs[best] ?? 0);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [next, isDown] of [
      [to + 1, true],
      [from - 1, false],
    ] as const) {
      const cost = costs[next];
      if (cost === undefined || cost > left) continue;
      left -= cost;
      grown = true;
      if (isDown) to = next;
      else from = next;
    }
  }
  return [from, to];
}

function cutLine(line: string, room: number, { terms }: Query): string {
  const lower = line.toLowerCase();
  const found = [...terms.values()].map(({ said }) => lower.indexOf(said.toLowerCase())).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...found, line.length) - room);
  let end = start;
  for (let left = room; left > 0 && end < line.length; end++) left -= line.charCodeAt(end) > 127 ? 1 : 0.25;
  // Neither end of the cut may split a surrogate pair.
  const shown = line.slice(start, end).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  return `${start > 0 ? cutMark : ""}${shown}${end < line.length ? cutMark : ""}`;
}
