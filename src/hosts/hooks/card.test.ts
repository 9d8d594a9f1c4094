import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { card, outsideDenied, ownDenied, reminder, startLine } from "./card.ts";
import type { OpenWork } from "./hook-context.ts";

/** Names as somebody could choose them who wants a card to be long. */
const hostile = [
  "x".repeat(200),
  "🜁🜂🜃🜄".repeat(50),
  "%$#@!^&*".repeat(25),
  "漢字かな交じり文".repeat(25),
  "a-B_9.".repeat(40),
];

function workOf(name: string, kind: "bot" | "session", count = 2, more: object = {}): OpenWork {
  const step = {
    workflow: name,
    step: name,
    attempt: 12,
    since: "2026-11-18T04:00:00.000Z",
    edits: [name, `${name}/**`],
    ...more,
  };
  return {
    format: 1,
    desk: kind === "bot" ? { kind, name, run: name } : { kind, name },
    key: name,
    area: "/project",
    completed: 123,
    steps: Array.from({ length: count }, () => step),
    next: { workflow: name, step: name },
    ...(kind === "session" ? { session: { total: 12, target: name } } : {}),
  };
}

it.each(hostile)("a card costs at most 300 tokens, whatever things are called, kind %#", (name) => {
  for (const kind of ["bot", "session"] as const) {
    const work = workOf(name, kind);
    const blocked = workOf(name, kind, 2, { waiting: "2026-11-18T04:00:00.000Z", blocked: name });
    for (const text of [
      card([blocked]),
      card([blocked, blocked]),
      card([work]),
      card([work, work, work]),
      card([workOf(name, kind, 0)]),
      startLine([work, work]),
    ])
      expect(countTokens(text), text).toBeLessThanOrEqual(300);
    const [step] = work.steps;
    if (step === undefined) throw new Error("no step");
    for (const text of [reminder(work, step), ownDenied(name, work), outsideDenied(name, work, step)])
      expect(countTokens(text), text).toBeLessThanOrEqual(300);
  }
});
