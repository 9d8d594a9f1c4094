import { expect, it } from "vitest";
import { unseal } from "./seal.ts";

const key = { id: "0".repeat(16), mac: () => "0".repeat(64) };

it("only a file that begins with zeros throughout is what a power cut leaves: one zero byte does not excuse a forgery", () => {
  expect(unseal(key, "a test", Buffer.alloc(0))).toEqual({ not: "cut" });
  expect(unseal(key, "a test", Buffer.alloc(500))).toEqual({ not: "cut" });
  expect(unseal(key, "a test", Buffer.concat([Buffer.alloc(1), Buffer.from("forged")]))).toEqual({ not: "unsealed" });
});
