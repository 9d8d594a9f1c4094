import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readDocument } from "./read-document.ts";

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "waymark-read-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it("the same text has the same hash, another text another", async () => {
  const folder = emptyFolder();
  const [one, two, three] = ["one", "two", "three"].map((name) => join(folder, name));
  writeFileSync(one ?? "", "text");
  writeFileSync(two ?? "", "text");
  writeFileSync(three ?? "", "texts");
  const readings = await Promise.all([one, two, three].map((file) => readDocument(file ?? "")));
  const [a, b, c] = readings.map(({ hash }) => hash);
  expect(a).toBe(b);
  expect(a).not.toBe(c);
});

it("a file that is not there, or became a link, is gone", async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, "target.md"), "text");
  symlinkSync(join(folder, "target.md"), join(folder, "link.md"));
  expect((await readDocument(join(folder, "nothing.md"))).kind).toBe("gone");
  expect((await readDocument(join(folder, "link.md"))).kind).toBe("gone");
});

it("what cannot be read is reported", async () => {
  expect(await readDocument("a\0b")).toMatchObject({ kind: "head", problem: "cannot be read and is not searched" });
  expect(await readDocument(emptyFolder())).toMatchObject({
    kind: "head",
    problem: "is not a file and is not searched",
  });
});
