import { expect, test } from "vitest";
import { readJson } from "./body.ts";

const limits = { bytes: 100, levels: 5 };

function sent(body: string | ReadableStream, headers: Record<string, string> = {}): Request {
  const stream = typeof body === "string" ? {} : { duplex: "half" as const };
  return new Request("http://localhost/", { method: "POST", body, headers, ...stream });
}

async function statusOf(request: Request): Promise<number | "read"> {
  const read = await readJson(request, limits);
  return "refused" in read ? read.refused.status : "read";
}

test("data within the limits is read", async () => {
  expect(await readJson(sent('{"a":["[[[[[[\\"[", {}]}'), limits)).toEqual({ value: { a: ['[[[[[["[', {}] } });
});

test("a body over the limit is refused, whatever length it declares", async () => {
  expect(await statusOf(sent(`"${"x".repeat(200)}"`))).toBe(413);
  const endless = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(40)) });
  expect(await statusOf(sent(endless, { "content-length": "10" }))).toBe(413);
});

test("data nested too deep is refused before it is parsed", async () => {
  expect(await statusOf(sent("[[[[[]]]]]"))).toBe("read");
  expect(await statusOf(sent("[[[[[{}]]]]]"))).toBe(400);
});

test("invalid JSON is refused", async () => {
  expect(await statusOf(sent("a=b"))).toBe(400);
});
