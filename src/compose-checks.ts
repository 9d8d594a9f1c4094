import { existsSync } from "node:fs";
import { readdir, readFile, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandTools } from "./checks/commands/command-check.ts";
import type { CheckSchema } from "./checks/files/file-check.ts";
import type { FileReader } from "./checks/files/reads.ts";
import { openTrust, type Trust } from "./checks/trust.ts";
import type { Checks } from "./engine/ports.ts";
import { nameOf } from "./evidence/check-verdict.ts";
import { liesIn } from "./paths/lies-in.ts";
import { realPathOrNamed } from "./paths/real-path.ts";
import type { RunPlace } from "./repository/run-places.ts";
import { openMachine, stateFolder } from "./stores/file/belief/machine.ts";
import { sealedFile } from "./stores/file/belief/sealed-file.ts";

/** The checks of one work tree; everything that runs them is loaded when the first is looked at. */
export function checksWhenNeeded(
  { area, history }: Pick<RunPlace, "area" | "history">,
  definitions: string,
  trustedFor: readonly string[] = [history],
): Checks {
  let opened: Promise<Checks> | undefined;
  let isClosed = false;
  const open = async (): Promise<Checks> => {
    const [{ checksIn }, { readsMemory }] = await Promise.all([
      import("./checks/run-checks.ts"),
      import("./checks/files/reads-memory.ts"),
    ]);
    const machine = openMachine();
    const checks = checksIn({
      area,
      turns: turns(),
      decided: async (definition) => {
        const words = trustedFor.map(async (place) => trustHere(area).decided(await realPathOrNamed(place)));
        return (await Promise.all(words)).flat().find((one) => one.definition === definition);
      },
      seal: (about, result) => machine.key()?.mac("checked", about, result),
      checkSchema: schemasIn(definitions),
      memory: readsMemory(join(stateFolder(), "reads")),
      tools: commandTools,
      reader: filesReader,
    });
    if (isClosed) checks.close();
    return checks;
  };
  const ready = (): Promise<Checks> => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined; // the next one tries again
      throw error;
    });
    return opened;
  };
  return {
    look: async (asked) => (await ready()).look(asked),
    stale: async (proofs) => (proofs.length === 0 ? [] : (await ready()).stale(proofs)),
    ended: async (id, ms) => (await ready()).ended(id, ms),
    close() {
      isClosed = true;
      opened?.then(
        (checks) => checks.close(),
        () => undefined,
      );
    },
  };
}

/** The checks of a server that sees no work tree. */
export function checksForRunner(area: string, definitions: string): Checks {
  const near = checksWhenNeeded({ area, history: area }, definitions);
  let opened: Promise<Checks> | undefined;
  const ready = (): Promise<Checks> => {
    opened ??= import("./checks/for-runner.ts").then(({ leftToRunner }) => leftToRunner(near));
    return opened;
  };
  return {
    ...near,
    look: async (asked) => (await ready()).look(asked),
    stale: async (proofs) => (proofs.length === 0 ? [] : (await ready()).stale(proofs)),
  };
}

/** What a person has decided on this machine. What lies in a project area, where an assistant writes, is nobody's word. */
export function trustHere(...areas: readonly string[]): Trust {
  const machine = openMachine();
  const fileOf = (place: string) => sealedFile(join("trusted", nameOf(place)), machine);
  const trust = openTrust({
    read: (place) => fileOf(place).read(),
    write: (place, text) => fileOf(place).write(text),
    clear: () => rm(join(stateFolder(), "trusted"), { recursive: true, force: true }),
  });
  if (areas.every(machine.isOutside)) return trust;
  return {
    decided: async () => [],
    decide: () => Promise.reject(new Error(`Nothing is kept in ${stateFolder()}: it lies in the project area.`)),
    revoke: trust.revoke,
  };
}

let tools: Promise<CommandTools> | undefined;

/** What commands are run with, once for a process: finding out how they can be contained takes a moment. */
export function commandTools(): Promise<CommandTools> {
  tools ??= makeTools();
  return tools;
}

async function makeTools(): Promise<CommandTools> {
  const [{ commandRunner }, { findContainer }, { sweepLeftOvers }] = await Promise.all([
    import("./checks/commands/run-command.ts"),
    import("./checks/commands/contain.ts"),
    import("./checks/commands/sweep.ts"),
  ]);
  const [container] = await Promise.all([findContainer(), sweepLeftOvers()]);
  return {
    run: commandRunner(findProgram("./supervise.js") ?? "./supervise.js", container),
    read: await filesReader(),
  };
}

let reader: Promise<FileReader> | undefined;

/** What reads the files of proofs, once for a process: it remembers what has not changed. */
function filesReader(): Promise<FileReader> {
  reader ??= makeReader();
  return reader;
}

async function makeReader(): Promise<FileReader> {
  const [{ fileReader }, { lookWith }] = await Promise.all([
    import("./checks/files/reads.ts"),
    import("./checks/files/look-at-all.ts"),
  ]);
  return fileReader({ look: lookWith(findProgram("./look-thread.js")) });
}

/** Ends what a server that was killed may have left of its checks; where none was running then nothing is loaded for it. */
export async function sweepAtStart(): Promise<void> {
  const names = await readdir(turns()).catch((): string[] => []);
  if (names.length === 0 || process.platform !== "linux") return;
  const { hasAbandonedTurn } = await import("./checks/commands/turn.ts");
  if (!(await hasAbandonedTurn(turns()))) return;
  const { sweepLeftOvers } = await import("./checks/commands/sweep.ts");
  await sweepLeftOvers();
}

/** Where it is noted which work trees have a check running. */
function turns(): string {
  return join(stateFolder(), "checking");
}

/** A program of ours: beside the bundle, or where the bundle is built to. */
function findProgram(path: string): string | undefined {
  const places = [path, `../dist/${path}`].map((one) => fileURLToPath(new URL(one, import.meta.url)));
  return places.find((one) => existsSync(one));
}

/** Holds JSON against schemas that lie among the definitions. */
function schemasIn(definitions: string): CheckSchema {
  /** What a schema says, where it stands inside the definitions once links are followed. */
  const textOf = async (schema: string): Promise<string | undefined> => {
    try {
      const [root, path] = await Promise.all([realpath(definitions), realpath(join(definitions, schema))]);
      return liesIn(root, path) ? await readFile(path, "utf8") : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    text: textOf,
    async problem({ name, text: schema }, text) {
      const { findSchemaProblem } = await import("./checks/files/json-schema-problem.ts");
      return findSchemaProblem(schema, text, name);
    },
  };
}
