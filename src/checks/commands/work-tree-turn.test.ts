import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hasAbandonedTurn, takeTurn } from "./work-tree-turn.ts";

let place: string;
let folder: string;
const area = (name: string): string => {
  mkdirSync(join(place, name), { recursive: true });
  return join(place, name);
};
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "waymark-turn-"));
  folder = join(place, "turns");
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const space = `ns${readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")}`;
const turnFile = (): string => join(folder, readdirSync(folder)[0] ?? "");

test("one work tree has one turn, by whatever name it is called; another has another", async () => {
  symlinkSync(area("one"), join(place, "link"));
  const letGo = await takeTurn(folder, area("one"));
  expect(letGo).toBeDefined();
  expect(await takeTurn(folder, area("one"))).toBeUndefined();
  expect(await takeTurn(folder, join(place, "link"))).toBeUndefined();
  expect(await takeTurn(folder, area("two"))).toBeDefined();
  await letGo?.();
  expect(await takeTurn(folder, area("one"))).toBeDefined();
});

test("of many who want it one has it, also where its last owner died with it", async () => {
  for (let round = 0; round < 20; round++) {
    const taken = await Promise.all(Array.from({ length: 8 }, () => takeTurn(folder, area("one"))));
    expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
    expect(readdirSync(folder)).toHaveLength(1);
    writeFileSync(turnFile(), `${space}-999999999-1`);
    expect(await hasAbandonedTurn(folder)).toBe(true);
  }
});

test("whoever cannot be seen from here has it as long as it shows that it does", async () => {
  await takeTurn(folder, area("one"));
  writeFileSync(turnFile(), "ns1-17-1");
  expect(await takeTurn(folder, area("one"))).toBeUndefined();
  expect(await hasAbandonedTurn(folder)).toBe(false);
  utimesSync(turnFile(), 1, 1);
  expect(await takeTurn(folder, area("one"))).toBeDefined();
});
