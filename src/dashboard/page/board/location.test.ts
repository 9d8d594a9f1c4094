import fc from "fast-check";
import { expect, test } from "vitest";
import { type BoardLocation, href, parseLocation } from "./location.ts";

const name = fc.oneof(
  fc.constantFrom("record", "runs", "..", "a/b", "bot:story_bot", "100%", "?x=1", "#"),
  fc.string({ minLength: 1 }),
);
const at = fc.record({ workflow: name, step: fc.oneof(name, fc.constantFrom("1", "12")) });
const seq = fc.nat();

test("every location has an address that leads back to it, for any name", () => {
  const places: fc.Arbitrary<BoardLocation> = fc.oneof(
    fc.record({ view: fc.constant("run" as const), key: name }),
    fc.record({ view: fc.constant("run" as const), key: name, at }),
    fc.record({ view: fc.constant("run" as const), key: name, at: at.map((step) => ({ ...step, submission: 3 })) }),
    fc.record({ view: fc.constant("run" as const), key: name, record: seq }),
    fc.record({
      view: fc.constant("inbox" as const),
      item: fc.tuple(name, at).map(([key, step]) => ({ key, ...step })),
    }),
    fc.record({ view: fc.constant("audit" as const), key: name, record: seq }),
    fc.record({ view: fc.constant("process" as const), at }),
    fc.record({ view: fc.constant("runs" as const), stands: fc.constantFrom("waits", "stuck") }),
  );
  fc.assert(
    fc.property(places, (place) => {
      expect(parseLocation(href(place))).toEqual(place);
    }),
  );
});

test("an unknown address is not found, and an empty one leads to the runs", () => {
  expect(parseLocation("")).toEqual({ view: "runs" });
  expect(parseLocation("#/")).toEqual({ view: "runs" });
  expect(parseLocation("#/else/where")).toEqual({ view: "nowhere" });
  expect(parseLocation("#/runs/%E0%A4%A")).toEqual({ view: "nowhere" });
});

test("the filters of the list are in the address", () => {
  const filters = { view: "runs", workflow: "a & b", sort: "name", q: "x", page: "2" } as const;
  expect(parseLocation(href(filters))).toEqual(filters);
  expect(parseLocation("#/runs?other=1")).toEqual({ view: "runs" });
});
