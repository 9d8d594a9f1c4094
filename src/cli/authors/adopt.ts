import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import {
  checkDefinitions,
  type Draft,
  drawnBehaviors,
  drawText,
  type EchoedLine,
  type Explained,
  echoDraft,
  engineSurroundings,
  explainAll,
  type Finding,
  readDraft,
  readSnapshot,
} from "../../app/check-project.ts";
import { countText } from "../../kit/count-text.ts";
import { askPerson } from "../people/ask-person.ts";
import { oneLine, paint, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, workplaceFor } from "../terminal/workplace-options.ts";
import { echoedLine } from "./echo.ts";
import { explainLines } from "./explain.ts";

export type AdoptOptions = Pick<PlaceOptions, "root" | "definitions"> & {
  readonly name?: string;
  readonly replace?: true;
  readonly yes?: true;
  readonly json?: true;
};

/** Brings drafted definitions into the project, after showing what each step will ask and asking the person. */
export async function adopt(path: string, options: AdoptOptions): Promise<void> {
  const draft = readDraft(path, options.name);
  if ("problem" in draft) throw new UserError(`Nothing was adopted: ${draft.problem}.`);
  const { definitions } = workplaceFor(options);
  const [taken] = rootsOf(draft).filter((file) => existsSync(join(definitions, file)));
  if (taken !== undefined && options.replace !== true)
    throw new UserError(`${taken} already exists in ${definitions}. Use --replace to replace it, or another --name.`);
  const { lines, errors, warnings, behaviors, explained } = await reviewDraft(draft, resolve(options.root));
  const written = [...draft.files.keys()].sort();
  if (options.json !== true)
    showDraft({ lines, errors, warnings, behaviors, explained, written, left: draft.left, imported: draft.imported });
  const isAdopted = errors.length === 0 && (options.yes === true || (await isConfirmed(options)));
  if (isAdopted) {
    writeDraft(draft, definitions);
    removeLeftOvers(draft, definitions);
  }
  if (options.json)
    printJson({
      ...{ adopted: isAdopted, files: written, left: draft.left, lines, workflows: explained, errors },
      ...(draft.imported === undefined
        ? {}
        : { not_carried_over: draft.imported.notCarried, claims_alone: draft.imported.claimed }),
    });
  if (errors.length > 0) process.exitCode = 1;
  if (options.json) return;
  if (errors.length > 0) print("", `Nothing was adopted: fix ${countText(errors.length, "error")} first.`);
  else print("", isAdopted ? adoptedText(definitions, explained) : "Nothing was changed.");
}

function adoptedText(definitions: string, workflows: readonly Explained[]): string {
  const [first] = workflows;
  const start = first === undefined ? "" : ` Start it with waymark start ${first.workflow}, or tell your assistant to.`;
  return `Adopted into ${definitions}.${start} Commit it. waymark init sets up assistants and git, if that is still to be done.`;
}

type Review = {
  readonly lines: readonly (EchoedLine & { readonly workflow: string })[];
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly behaviors: readonly string[];
  readonly explained: readonly Explained[];
};

/** Reads a draft in a folder of its own, as it would be read among the definitions. */
async function reviewDraft(draft: Draft, root: string): Promise<Review> {
  const folder = mkdtempSync(join(tmpdir(), "waymark-adopt-"));
  try {
    writeDraft(draft, join(folder, ".waymark"));
    const snapshot = await readSnapshot(join(folder, ".waymark"));
    const findings = checkDefinitions(snapshot, await engineSurroundings(snapshot, root));
    const lines = echoDraft(snapshot);
    const types = await explainAll(snapshot, root);
    return {
      lines,
      explained: types,
      errors: findings.filter(({ severity, code }) => severity === "error" && code !== "no-bot"),
      warnings: findings.filter(
        ({ severity, file }) => severity === "warning" && draft.files.has(file.replace(/^\.waymark\//, "")),
      ),
      behaviors: drawText(drawnBehaviors(snapshot)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type ShownReview = Review & {
  readonly written: readonly string[];
  readonly left: readonly string[];
  readonly imported: Draft["imported"];
};

function showDraft({ lines, errors, warnings, behaviors, explained, written, left, imported }: ShownReview): void {
  let at = "";
  for (const line of lines) {
    const place = `${line.file}  Phase ${line.phase}`;
    if (place !== at) print("", paint("bold", oneLine(place)));
    at = place;
    print(...echoedLine(line));
  }
  // gate files and phases without a line of their own are not in the echo
  for (const one of explained)
    if (one.phases.some(({ phase }) => !lines.some((line) => line.workflow === one.workflow && line.phase === phase)))
      print("", ...explainLines(one));
  print(...behaviors);
  const count = (kind: EchoedLine["kind"]): number => lines.filter((line) => line.kind === kind).length;
  if (lines.length > 0)
    print(
      "",
      `${count("enforced")} enforced, ${count("asked")} asked (rest on what the assistant says), ${countText(count("approval"), "approval")}, ${count("not read")} not read.`,
    );
  if (warnings.length > 0) print("");
  for (const { file, line, message, fix } of warnings)
    print(paint("yellow", `! ${oneLine(file)}:${line}  ${oneLine(message)}. ${oneLine(fix)}`));
  print("", "Files:", ...written.map((file) => `  ${oneLine(file)}`));
  if (left.length > 0) print(paint("yellow", `Not brought in: ${left.map(oneLine).join(", ")}.`));
  const { notCarried = [], claimed = [] } = imported ?? {};
  if (claimed.length > 0)
    print("", "These gates rest on the assistant's claim alone:", ...claimed.map((one) => `  ${oneLine(one)}`));
  if (notCarried.length > 0)
    print("", paint("yellow", "Not carried over:"), ...notCarried.map((one) => `  ${oneLine(one)}`));
  for (const { file, line, message } of errors) print(paint("red", `error  ${oneLine(`${file}:${line}  ${message}`)}`));
}

async function isConfirmed({ json }: AdoptOptions): Promise<boolean> {
  if (json || !process.stdin.isTTY || !process.stdout.isTTY)
    throw new UserError("Adopting a process is a person's decision. Run waymark adopt at a terminal, or pass --yes.");
  print("");
  return /^y(es)?$/i.test(await askPerson("Bring this into the project? [y/N] "));
}

/** Lists the paths that a draft replaces: whole workflows and bots, under either form of a workflow, and single files elsewhere. */
function rootsOf({ files }: Draft): readonly string[] {
  const roots = [...files.keys()].flatMap((file) => {
    const [, workflow] = /^workflows\/([^/]+?)(?:\.md$|\/)/.exec(file) ?? [];
    if (workflow !== undefined) return [`workflows/${workflow}`, `workflows/${workflow}.md`];
    return [/^bots\/[^/]+/.exec(file)?.[0] ?? file];
  });
  return [...new Set(roots)];
}

/** Removes the files of a replaced workflow or bot that the draft does not have. */
function removeLeftOvers(draft: Draft, definitions: string): void {
  for (const root of rootsOf(draft)) {
    const path = join(definitions, root);
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const left = isFolder ? readdirSync(path, { recursive: true, withFileTypes: true }) : [];
    for (const entry of left) {
      const file = join(entry.parentPath, entry.name);
      const name = relative(definitions, file).replaceAll("\\", "/");
      if (!entry.isDirectory() && !draft.files.has(name)) rmSync(file);
    }
    if (!isFolder && !draft.files.has(root)) rmSync(path, { force: true });
  }
}

/** Writes every file beside its place first, so that a full disk leaves what was there. */
function writeDraft({ files }: Draft, definitions: string): void {
  const staged = [...files].map(([file, bytes]) => {
    const target = join(definitions, file);
    mkdirSync(dirname(target), { recursive: true });
    const beside = `${target}.waymark-${process.pid}`;
    writeFileSync(beside, bytes, { flag: "wx" });
    return { target, beside };
  });
  for (const { target, beside } of staged) renameSync(beside, target);
}
