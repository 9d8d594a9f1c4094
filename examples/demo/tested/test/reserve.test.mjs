import assert from "node:assert";
import { test } from "node:test";
import { canReserve } from "../src/reserve.mjs";

const cases = [
  ["one person gets a table", 1, 12, true],
  ["two people get a table", 2, 12, true],
  ["three people get a table", 3, 12, true],
  ["four people get a table", 4, 12, true],
  ["five people get a table", 5, 12, true],
  ["six people get a table", 6, 12, true],
  ["seven people are asked to phone", 7, 12, false],
  ["nobody gets no table", 0, 12, false],
  ["a table is free when the shop opens", 2, 10, true],
  ["no table before the shop opens", 2, 9, false],
  ["no table after the shop has closed", 2, 20, false],
  ["no table in the last hour: a visit takes two", 2, 19, false],
];

for (const [name, people, hour, expected] of cases) {
  test(name, () => assert.equal(canReserve(people, hour), expected));
}
