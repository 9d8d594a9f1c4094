import { expect, it } from "vitest";
import { shortName } from "./short-name.ts";

const id = (hex: string, pass = 1) => `survey-${hex.padEnd(24, "0")}-${pass}`;

it("names a session by its target where that names no other", () => {
  const own = { name: id("aa"), target: "src/a.ts" };
  expect(shortName(own, [own, { name: id("bb"), target: "src/b.ts" }])).toBe("src/a.ts");
  expect(shortName(own, [own, { name: id("bb"), target: "src/a.ts" }])).toBe("survey-aa00");
});

it("names it by the shortest beginning of its id that no other has", () => {
  const all = [id("abcdef1"), id("abcdef2"), id("abcdef1", 2)].map((name) => ({ name, target: null }));
  expect(all.map((one) => shortName(one, all))).toEqual([all[0]?.name, "survey-abcdef2", all[2]?.name]);
});

it("never uses a target that a shell or another command would read otherwise", () => {
  for (const target of ["a b", "$(x)", "-rf", "x".repeat(61)])
    expect(shortName({ name: id("aa"), target }, [])).toBe("survey-aa00");
});
