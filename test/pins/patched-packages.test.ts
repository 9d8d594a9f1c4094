import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the PostgreSQL client that is built in does not end the process where a connection closes while a statement is sent", () => {
  const client = readFileSync(new URL("../../node_modules/postgres/src/connection.js", import.meta.url), "utf8");
  expect(client).toMatch(/function nextWrite\(fn\) \{\s+if \(socket === null\)/);
});
