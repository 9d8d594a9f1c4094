import { existsSync } from "node:fs";
import { readdir, readFile, realpath, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CommandTrust, openCommandTrust } from "../checks/command-trust.ts";
import type { CommandTools } from "../checks/commands/command-check.ts";
import type { CheckSchema } from "../checks/files/file-check.ts";
import type { FileReader } from "../checks/files/file-reader.ts";
import type { Checks } from "../engine/ports/checks.ts";
import type { RunnerDispatch } from "../engine/ports/runners.ts";
import { canonicalText } from "../gates/check-verdict.ts";
import { isPathInside } from "../kit/is-path-inside.ts";
import { realPathOrSame } from "../kit/real-path.ts";
import type { RunFolders } from "../repository/run-folders.ts";
import { openMachineState, stateFolder } from "../stores/file/trust/machine-state.ts";
import { sealedFile } from "../stores/file/trust/sealed-file.ts";

/** The checks of one work tree; the code that runs them is loaded at first use. */
export function lazyChecks(
  { area, history }: Pick<RunFolders, "area" | "history">,
  definitions: string,
  trustedFor: readonly string[] = [history],
): Checks {
  let opened: Promise<Checks> | undefined;
  let isClosed = false;
  const open = async (): Promise<Checks> => {
    const [{ checksIn }, { readsMemory }] = await Promise.all([
      import("../checks/run-checks.ts"),
      import("../checks/files/reads-memory.ts"),
    ]);
    const machine = openMachineState();
    const checks = checksIn({
      area,
      turns: turnsFolder(),
      decided: async (definition) => {
        const words = trustedFor.map(async (place) => machineTrust(area).decided(await realPathOrSame(place)));
        return (await Promise.all(words)).flat().find((one) => one.definition === definition);
      },
      trust: await trustCommand(definitions, history),
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
      opened = undefined; // the next call tries again
      throw error;
    });
    return opened;
  };
  return {
    start: async (asked) => (await ready()).start(asked),
    stale: async (proofs) => (proofs.length === 0 ? [] : (await ready()).stale(proofs)),
    waitForEnd: async (id, ms) => (await ready()).waitForEnd(id, ms),
    close() {
      isClosed = true;
      opened?.then(
        (checks) => checks.close(),
        () => undefined,
      );
    },
  };
}

/** The command to trust checks with: for a project area beside the definitions it names the area. */
async function trustCommand(definitions: string, history: string): Promise<string> {
  const home = basename(definitions) === ".waymark" ? dirname(definitions) : definitions;
  const [usual, area] = await Promise.all([realPathOrSame(home), realPathOrSame(history)]);
  return usual === area ? "waymark trust" : `waymark trust --project-area ${JSON.stringify(area)}`;
}

/** The checks of a server that sees no work tree and asks runners. */
export function runnerChecks(area: string, definitions: string, dispatch: RunnerDispatch): Checks {
  const near = lazyChecks({ area, history: area }, definitions);
  let opened: Promise<Checks> | undefined;
  const ready = (): Promise<Checks> => {
    opened ??= import("../checks/remote-checks.ts").then(({ remoteChecks }) => remoteChecks(near, dispatch));
    return opened;
  };
  return {
    ...near,
    start: async (asked) => (await ready()).start(asked),
    offer: async (checks) => (await ready()).offer?.(checks),
    stale: async () => [],
    waitForEnd: async (id, ms) => (await ready()).waitForEnd(id, ms),
  };
}

/** The trust decisions on this machine. Files in a project area, where an assistant writes, are never trusted. */
export function machineTrust(...areas: readonly string[]): CommandTrust {
  const machine = openMachineState();
  const fileOf = (place: string) => sealedFile(join("trusted", canonicalText(place)), machine);
  const trust = openCommandTrust({
    read: (place) => fileOf(place).read(),
    write: (place, text) => fileOf(place).write(text),
    clear: () => rm(join(stateFolder(), "trusted"), { recursive: true, force: true }),
  });
  if (areas.every(machine.isOutside)) return trust;
  return {
    decided: async () => [],
    decide: () => Promise.reject(new Error(`Nothing can be kept in ${stateFolder()}: it is inside the project area.`)),
    revoke: trust.revoke,
  };
}

let tools: Promise<CommandTools> | undefined;

/** The tools that run commands, once per process: finding out how to contain them takes a moment. */
export function commandTools(): Promise<CommandTools> {
  tools ??= makeTools();
  return tools;
}

async function makeTools(): Promise<CommandTools> {
  const [{ commandRunner }, { findContainer }, { sweepLeftOvers }] = await Promise.all([
    import("../checks/commands/run-command.ts"),
    import("../checks/commands/container.ts"),
    import("../checks/commands/sweep.ts"),
  ]);
  const [container] = await Promise.all([findContainer(), sweepLeftOvers()]);
  return {
    run: commandRunner(findProgram("./supervise.js") ?? "./supervise.js", container),
    read: await filesReader(),
  };
}

let reader: Promise<FileReader> | undefined;

/** The reader of proof files, once per process: it remembers what has not changed. */
function filesReader(): Promise<FileReader> {
  reader ??= makeReader();
  return reader;
}

async function makeReader(): Promise<FileReader> {
  const [{ fileReader }, { statFilesWith: lookWith }] = await Promise.all([
    import("../checks/files/file-reader.ts"),
    import("../checks/files/stat-files.ts"),
  ]);
  return fileReader({ look: lookWith(findProgram("./stat-thread.js")) });
}

/** Ends what a killed server may have left of its checks; loads nothing if none was running. */
export async function sweepAtStart(): Promise<void> {
  const names = await readdir(turnsFolder()).catch((): string[] => []);
  if (names.length === 0 || process.platform !== "linux") return;
  const { hasAbandonedTurn } = await import("../checks/commands/work-tree-turn.ts");
  if (!(await hasAbandonedTurn(turnsFolder()))) return;
  const { sweepLeftOvers } = await import("../checks/commands/sweep.ts");
  await sweepLeftOvers();
}

/** The folder that notes which work trees have a check running. */
function turnsFolder(): string {
  return join(stateFolder(), "checking");
}

/** A program of ours: beside the bundle, or where the bundle is built to. */
function findProgram(path: string): string | undefined {
  const places = [path, `../../dist/${path}`].map((one) => fileURLToPath(new URL(one, import.meta.url)));
  return places.find((one) => existsSync(one));
}

/** Validates JSON against schemas among the definitions. */
function schemasIn(definitions: string): CheckSchema {
  /** The text of a schema, if it is inside the definitions once links are followed. */
  const textOf = async (schema: string): Promise<string | undefined> => {
    try {
      const [root, path] = await Promise.all([realpath(definitions), realpath(join(definitions, schema))]);
      return isPathInside(root, path) ? await readFile(path, "utf8") : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    text: textOf,
    async problem({ name, text: schema }, text) {
      const { findSchemaProblem } = await import("../checks/files/json-schema-problem.ts");
      return findSchemaProblem(schema, text, name);
    },
  };
}
