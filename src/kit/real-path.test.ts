import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  realPath,
  realPathOfNew,
  realPathOfNewSync,
  realPathOrSame,
  realPathOrSameSync,
  realPathSync,
} from "./real-path.ts";

/** A folder with a file in it, `link` to that folder, and `lost`, a link that leads nowhere. */
function makeFolder(): string {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "waymark-real-")));
  onTestFinished(() => rmSync(top, { recursive: true }));
  mkdirSync(join(top, "folder"));
  writeFileSync(join(top, "folder/file"), "");
  symlinkSync("folder", join(top, "link"));
  symlinkSync("nowhere", join(top, "lost"));
  return top;
}

type Asked = (path: string) => string | undefined | Promise<string | undefined>;
const all: readonly (readonly [name: string, ask: Asked])[] = [
  ["realPath", realPath],
  ["realPathOrNamed", realPathOrSame],
  ["realPathToCome", realPathOfNew],
  ["realPathSync", realPathSync],
  ["realPathOrNamedSync", realPathOrSameSync],
  ["realPathToComeSync", realPathOfNewSync],
];

describe.each(all)("%s", (_, ask) => {
  it("follows every link on the way", async () => {
    const top = makeFolder();
    expect(await ask(join(top, "link/file"))).toBe(join(top, "folder/file"));
    expect(await ask(join(top, "link"))).toBe(join(top, "folder"));
  });

  it("makes a whole path of one that is seen from here", async () => {
    const top = makeFolder();
    expect(await ask(relative(process.cwd(), join(top, "link/file")))).toBe(join(top, "folder/file"));
  });
});

describe("of what is not there", () => {
  const missing = ["link/new", "link/new/deep.md", "lost", "lost/file", "link/file/below", "folder/a\0b"];

  it.each(missing)("nothing is told: %j", async (path) => {
    const whole = `${makeFolder()}/${path}`;
    expect([await realPath(whole), realPathSync(whole)]).toEqual([undefined, undefined]);
  });

  it.each(missing)("its name is told where that is asked: %j", async (path) => {
    const whole = `${makeFolder()}/${path}`;
    expect([await realPathOrSame(whole), realPathOrSameSync(whole)]).toEqual([whole, whole]);
  });

  it.each([
    ["link/new", "folder/new"],
    ["link/new/deep.md", "folder/new/deep.md"],
    ["link/file/below", "folder/file/below"],
    ["lost", "lost"],
    ["lost/file", "lost/file"],
  ])("where it would come to stand is told where that is asked: %s", async (path, real) => {
    const top = makeFolder();
    const whole = join(top, path);
    expect([await realPathOfNew(whole), realPathOfNewSync(whole)]).toEqual([join(top, real), join(top, real)]);
  });
});
