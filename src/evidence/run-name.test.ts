import fc from "fast-check";
import { expect, test } from "vitest";
import { runName, runOfWorkTree } from "./run-name.ts";

test("names that differ in case or Unicode form only are one", () => {
  expect(runName("Login")).toBe(runName("login"));
  expect(runName("caf\u00e9")).toBe(runName("cafe\u0301"));
  expect(runName("feature/Login.v2_x-1")).toBe("feature/login.v2_x-1");
});

test("names that leave their folder, or are none, are refused", () => {
  for (const name of [
    "",
    "..",
    "a/../b",
    "/a",
    "a/",
    "a//b",
    ".a",
    "a/.b",
    "a b",
    "a\\b",
    "a:b",
    "a\0",
    "a%2fb",
    "a\u202eb",
  ])
    expect(runName(name), JSON.stringify(name)).toBeUndefined();
  expect(runName("x".repeat(64))).toBe("x".repeat(64));
  expect(runName("x".repeat(65))).toBeUndefined();
});

test("no run stands where the files of another do", () => {
  expect(runName("a/workflow_state.json")).toBeUndefined();
  expect(runName("Activity_Log.json")).toBeUndefined();
});

test("every branch and every folder has a run, by a name that can be used", () => {
  expect(runOfWorkTree("feature/login")).toBe("feature/login");
  expect(runOfWorkTree("fix#12: späte Post")).toBe("fix-12--späte-post");
  expect(runOfWorkTree("x".repeat(80))).toBe("x".repeat(64));
  expect(runOfWorkTree(".github")).toBe("-github");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      const run = runOfWorkTree(name);
      expect(runName(run)).toBe(run);
    }),
  );
});
