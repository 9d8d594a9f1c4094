import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const page = new URL("../../dist/page/", import.meta.url);

test("the whole page is at most 90 KB compressed, and takes nothing from elsewhere", () => {
  const files = readdirSync(page, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(html|js|css|svg)$/.test(entry.name))
    .map(({ parentPath, name }) => readFileSync(`${parentPath}/${name}`));
  expect(files.length).toBeGreaterThanOrEqual(4);
  expect(files.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0)).toBeLessThan(90 * 1024);
  const html = readFileSync(new URL("index.html", page), "utf8");
  expect(html).not.toMatch(/https?:|<style|<script(?![^>]*src=)|\son\w+=|style=/);
});
