import assert from "node:assert";
import { test } from "node:test";
import { greet } from "../src/greet.js";

test("by name", () => assert.equal(greet("Anna"), "Good evening, Anna."));
test("without a name", () => assert.equal(greet(), "Good evening."));
