import { describe, expect, it } from "vitest";
import { wholeOr } from "../../test/whole.ts";
import type { JsonObject } from "../kit/json.ts";
import { completedExample, startedExample } from "../testing/index.ts";
import type { Event } from "./events.ts";
import { replay, replayer } from "./replay.ts";
import { emptyStream } from "./stream-snapshot.ts";

const at = "2026-11-18T07:00:00.000Z";
const ref = { at, workflow: "discovery", pass: 1, step: "step_1", attempt: 1 };
const digest = (number: number): string => `digest ${number}`;

/** Histories that repeat one kind of event, each with something new. */
const kinds: Readonly<Record<string, (number: number) => Event>> = {
  met: (number) => ({ ...ref, type: "met", by: `caller ${number}` }),
  continued: (number) => ({ ...ref, type: "continued", by: `caller ${number}` }),
  outputs: (number) => ({ ...ref, by: "a", type: "handed_in", outputs: { [`output ${number}`]: number } }),
  files: (number) => ({
    ...ref,
    by: "a",
    type: "handed_in",
    content: [{ path: `docs/${number % 5000}.md`, sha256: digest(number), bytes: 1 }],
  }),
  declined: (number) => ({ ...ref, by: "a", type: "declined", digest: digest(number) }),
  unanswered: (number) => ({ ...ref, by: "a", type: "unanswered", digest: digest(number) }),
  workflows: (number) => ({ ...ref, type: "started", by: "a", successor: null, workflow: `workflow ${number}` }),
  steps: (number) => ({ ...ref, type: "started", by: "a", successor: null, step: `step ${number}` }),
  passes: (number) => ({ ...ref, type: "started", by: "a", successor: null, pass: number + 2 }),
};

describe.each(Object.entries(kinds))("a history that goes on with %s", (_, next) => {
  const events = (length: number): readonly Event[] => [
    startedExample(1),
    ...Array.from({ length }, (_, number) => next(number)),
    completedExample(1),
  ];

  it("adds up to the same bit by bit, for each part of it", () => {
    const add = replayer();
    let stream = emptyStream;
    for (const event of events(30)) {
      stream = replay([event], stream);
      expect(add([event])).toEqual(stream);
    }
  });

  it("leaves what was added up before as it was", () => {
    const before = replay(events(10));
    const copy = structuredClone(before);
    replayer(before)(events(30));
    expect(before).toEqual(copy);
  });

  it("is added up to its end, however long it is, with a look after each event", () => {
    const add = replayer();
    let looks = 0;
    const length = wholeOr(60_000, 12_000);
    for (const event of events(length)) looks += add([event]).changedAt === null ? 0 : 1;
    expect(looks).toBe(length + 2);
  });
});

it("a value submitted under any name keeps that name", () => {
  const outputs = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}');
  const handing = (submitted: JsonObject): Event => ({ ...ref, by: "a", type: "handed_in", outputs: submitted });
  const { runs } = replay([startedExample(1), handing({ first: 1 }), handing(outputs)]);
  const { submitted } = runs.get("discovery")?.steps.get("step_1") ?? {};
  expect(JSON.stringify(submitted?.outputs)).toBe('{"first":1,"__proto__":{"a":1},"constructor":2}');
});
