import fc from "fast-check";
import { expect, test } from "vitest";
import { wholeOr } from "../../test/whole.ts";
import { runName, runOfWorkTree } from "./run-name.ts";

test("names that differ in case or Unicode form only are one", () => {
  expect(runName("Login")).toBe(runName("login"));
  expect(runName("caf\u00e9")).toBe(runName("cafe\u0301"));
  expect(runName("feature/Login.v2_x-1")).toBe("feature/login.v2_x-1");
  for (const name of ["ΟΔΟΣ", "οδος", "οδοσ"]) expect(runName(name)).toBe("οδοσ");
  expect(runName("ﬁx")).toBe(runName("FIX"));
});

test("a name that is kept is its own, whatever it was written with", () => {
  const planes = wholeOr(0x30000, 0x700);
  const unstable: string[] = [];
  for (let point = 0; point < planes; point++) {
    const sign = String.fromCodePoint(point);
    for (const written of [`a${sign}`, sign.repeat(64)]) {
      const kept = runName(written);
      if (kept !== undefined && runName(kept) !== kept) unstable.push(`U+${point.toString(16)}`);
    }
  }
  expect(unstable).toEqual([]);
});

test("a name that is too long for a file of its name is refused", () => {
  for (const name of ["𠀀".repeat(64), "㌀".repeat(30)]) expect(runName(name)).toBeUndefined();
  expect(runName("語".repeat(64))).toBe("語".repeat(64));
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
  expect(runOfWorkTree("½-done")).toBe("1-2-done");
  expect(runOfWorkTree("a/workflow_state.json")).toBe("a/workflow_state-json");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      const run = runOfWorkTree(name);
      expect(runName(run)).toBe(run);
    }),
  );
});
