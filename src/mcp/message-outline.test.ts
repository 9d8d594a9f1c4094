import fc from "fast-check";
import { expect, it } from "vitest";
import { outlineMessage } from "./message-outline.ts";

/** The outline of a text, read in parts of so many bytes. */
function idOf(text: string, part = 7): string | number | undefined {
  const outline = outlineMessage();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += part) outline.read(bytes.subarray(at, at + part));
  return outline.requestId();
}

it("the id of a request is found anywhere in the message", () => {
  const ids = fc.oneof(fc.integer(), fc.string({ maxLength: 40 }));
  fc.assert(
    fc.property(ids, fc.jsonValue(), fc.boolean(), fc.integer({ min: 1, max: 50 }), (id, params, isFirst, part) => {
      const message = isFirst ? { id, method: "m", params } : { params: { id: 0, params }, method: "m", id };
      expect(idOf(JSON.stringify(message), part)).toBe(id);
      expect(idOf(JSON.stringify(message, null, 2), part)).toBe(id);
    }),
  );
});

it.each([
  ["a notification", '{"method":"m","params":{"id":1}}'],
  ["a response", '{"id":1,"result":{"method":"m"}}'],
  ["an id that is an object", '{"id":{"id":1},"method":"m"}'],
  ["an id longer than any", `{"id":"${"x".repeat(1000)}","method":"m"}`],
  ["a list", '[{"id":1,"method":"m"}]'],
  ["junk", '"id":1,"method":"m"'],
  ["half a message", '{"id":1,"method":"m'],
])("%s has none", (_, text) => {
  expect(idOf(text)).toBeUndefined();
});
