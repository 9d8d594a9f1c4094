import { expect, test } from "vitest";
import { addressOf } from "./address.ts";
import { refuseForeign, refuseForeignWrite } from "./refuse-foreign.ts";

const address = addressOf(["localhost", "::1"], 4319, new URL("https://waymark.example"));

test("a server answers to its names with port, and to its public URL", () => {
  const status = (host: string, origin?: string): number | undefined =>
    refuseForeign(address, { host, origin })?.status;
  expect(status("localhost:4319")).toBeUndefined();
  expect(status("[::1]:4319", "http://[::1]:4319")).toBeUndefined();
  expect(status("waymark.example", "https://waymark.example")).toBeUndefined();
  expect(status("waymark.example:4319")).toBe(421);
  expect(status("waymark.example", "http://waymark.example")).toBe(403);
});

const own = {
  origin: "http://localhost:4319",
  "sec-fetch-site": "same-origin",
  "content-type": "application/json; charset=utf-8",
};

test.each<[string, Record<string, string>, number | undefined]>([
  ["comes from a page of its own, as JSON", own, undefined],
  ["names no page", { ...own, origin: "" }, 403],
  ["comes from another page", { ...own, origin: "http://localhost:4320" }, 403],
  ["comes from a page of the same site, on another port", { ...own, "sec-fetch-site": "same-site" }, 403],
  ["comes from no browser", { origin: own.origin, "content-type": own["content-type"] }, 403],
  ["is a form", { ...own, "content-type": "application/x-www-form-urlencoded" }, 415],
  ["is plain text, which needs no permission to send", { ...own, "content-type": "text/plain" }, 415],
])("a request that %s may change something only where that is its own page", (_, given, status) => {
  const headers = new Headers(Object.entries(given).filter(([, value]) => value !== ""));
  expect(refuseForeignWrite(address, new Request("http://localhost:4319/", { headers }))?.status).toBe(status);
});
