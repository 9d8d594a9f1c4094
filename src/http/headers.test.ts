import { expect, test } from "vitest";
import { jsonHeaders, pageHeaders } from "./headers.ts";

test("a page runs nothing inline or foreign, and cannot be framed", () => {
  const policy = pageHeaders("text/html")["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("style-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*|data:|http/);
});

test("no answer is cached or readable by another site's page", () => {
  for (const headers of [jsonHeaders, pageHeaders("text/html")]) {
    expect(headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(headers).not.toHaveProperty("set-cookie");
  }
});
