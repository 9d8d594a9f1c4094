import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { waymark } from "../command-line.ts";
import { wholeOr } from "../whole.ts";
import { makeBotProject, makeFolder } from "./generated.ts";

test("every command in docs/generate.md works as it is written", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/generate.md"), "utf8");
  const blocks = [...page.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, commands = ""]) => commands);
  expect(blocks.length).toBeGreaterThan(2);
  const bin = join(makeFolder(), "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "waymark"), `#!/bin/sh\nexec "${process.execPath}" "${waymark}" "$@"\n`);
  chmodSync(join(bin, "waymark"), 0o755);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, npm_config_offline: "true" };
  for (const commands of blocks.slice(0, wholeOr(blocks.length, 2))) {
    const run = () => execFileSync("sh", ["-e", "-c", commands], { cwd: makeBotProject().root, env, stdio: "pipe" });
    expect(run, commands).not.toThrow();
  }
});

test("the command has these options", () => {
  const help = execFileSync(process.execPath, [waymark, "generate", "--help"], { encoding: "utf8" });
  const options = [...help.matchAll(/^ {2}(--[a-z]+)/gm)].map(([, option]) => option);
  expect(options).toEqual(["--root", "--out", "--host", "--name", "--definitions", "--force", "--json"]);
});
