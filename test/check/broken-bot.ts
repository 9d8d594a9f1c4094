import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { engineSurroundings } from "../../src/app/check-project.ts";
import { filesOf } from "../../src/definitions/snapshot/files-of.testing.ts";
import { checkDefinitions } from "../../src/lint/check-definitions.ts";
import type { Finding } from "../../src/lint/reported-finding.ts";
import { type Files, soundBot } from "./sound-bot.ts";

/** One broken or untidy bot: what is changed in the sound one, and everything that check must say of it. */
export type Case = {
  readonly title: string;
  /** Paths inside `.waymark/`. */
  readonly files: Files;
  /** Links by path, to what they lead to. */
  readonly links?: Readonly<Record<string, string>>;
  /** `code file:line` of every finding, in the order of the report; files inside `.waymark/`. */
  readonly finds: readonly string[];
};

/** Writes a case into a definitions folder of its own, which lasts as long as the test. */
export function plantCase({ files, links = {} }: Pick<Case, "files" | "links">): string {
  return plantAlone({ ...soundBot, ...files }, links);
}

/** The same without the sound bot. */
export function plantAlone(files: Files, links: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), "waymark-check-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const definitions = join(root, ".waymark");
  for (const [path, content] of Object.entries(files)) {
    if (content !== null) writeIn(definitions, path, textOf(content));
  }
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(definitions, path)), { recursive: true });
    symlinkSync(target, join(definitions, path));
  }
  return definitions;
}

/** Writes one file of a definitions folder. */
export function writeIn(definitions: string, path: string, text: string): void {
  mkdirSync(dirname(join(definitions, path)), { recursive: true });
  writeFileSync(join(definitions, path), text);
}

/** The text that stands for a file of the corpus. */
export function textOf(content: string | object): string {
  return typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`;
}

/** Checks a planted folder as the command does. */
export async function findingsIn(definitions: string): Promise<readonly Finding[]> {
  return checkDefinitions(filesOf(definitions), await engineSurroundings(filesOf(definitions), dirname(definitions)));
}

/** A finding as the corpus writes it. */
export function shortly({ code, file, line }: Finding): string {
  return `${code} ${file.replace(/^\.waymark\//, "")}:${line}`;
}
