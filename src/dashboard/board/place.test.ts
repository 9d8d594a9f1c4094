import fc from "fast-check";
import { expect, test } from "vitest";
import { href, type Place, placeOf } from "./place.ts";

const name = fc.oneof(
  fc.constantFrom("record", "runs", "..", "a/b", "bot:story_bot", "100%", "?x=1", "#"),
  fc.string({ minLength: 1 }),
);
const at = fc.record({ workflow: name, step: fc.oneof(name, fc.constantFrom("1", "12")) });
const seq = fc.nat();

test("every place has an address that leads back to it, whatever its names are", () => {
  const places: fc.Arbitrary<Place> = fc.oneof(
    fc.record({ view: fc.constant("run" as const), key: name }),
    fc.record({ view: fc.constant("run" as const), key: name, at }),
    fc.record({ view: fc.constant("run" as const), key: name, at: at.map((step) => ({ ...step, handIn: 3 })) }),
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
      expect(placeOf(href(place))).toEqual(place);
    }),
  );
});

test("an address that names nothing leads nowhere, and none at all to the runs", () => {
  expect(placeOf("")).toEqual({ view: "runs" });
  expect(placeOf("#/")).toEqual({ view: "runs" });
  expect(placeOf("#/else/where")).toEqual({ view: "nowhere" });
  expect(placeOf("#/runs/%E0%A4%A")).toEqual({ view: "nowhere" });
});
