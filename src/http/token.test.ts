import { expect, test } from "vitest";
import { bearerOf, newToken } from "./token.ts";

function brought(authorization: string | undefined, url = "http://localhost/"): string | undefined {
  return bearerOf(new Request(url, { headers: authorization === undefined ? {} : { authorization } }));
}

test("a token is read from its header only", () => {
  const token = newToken();
  expect(brought(`Bearer ${token}`)).toBe(token);
  expect(brought(undefined, `http://localhost/?token=${token}`)).toBeUndefined();
  expect(brought(`Basic ${token}`)).toBeUndefined();
  expect(brought("Bearer ")).toBeUndefined();
});
