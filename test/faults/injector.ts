import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Every call by which a walk changes its disk, and those by which it reads it. */
const known = ["open", "read", "write", "fsync", "rename", "link", "unlink", "mkdir", "futimens", "ftruncate"] as const;
export const kinds = ["EIO", "ENOSPC", "EROFS", "short", "torn", "kill"] as const;

/** Those to go through: all of them, where `npm run faults` does not name some. */
export const calls = known.filter((call) => process.env.WAYMARK_FAULT_CALLS?.split(",").includes(call) ?? true);

/** One fault: the nth call of a kind goes wrong in a way. */
export type Fault = {
  readonly call: (typeof known)[number];
  readonly kind: (typeof kinds)[number];
  readonly n: number;
};

/** A way to make calls go wrong in a child process. */
export type Injector = {
  readonly name: string;
  /** What the child's environment and Node's arguments must say. */
  prepare(
    fault: Fault,
    folder: string,
    mark: string,
  ): { readonly env: NodeJS.ProcessEnv; readonly args: readonly string[] };
};

/** Real system calls where a C compiler can make the shim for them; else Node's own calls, and `name` says so. */
export function openInjector(folder: string): Injector {
  const shim = compile(folder);
  const told = ({ call, kind, n }: Fault, area: string, mark: string): NodeJS.ProcessEnv => ({
    FAULT_DIR: area,
    FAULT_CALL: call,
    FAULT_KIND: kind,
    FAULT_N: `${n}`,
    FAULT_MARK: mark,
  });
  if (shim !== undefined)
    return {
      name: "system calls, through LD_PRELOAD",
      prepare: (fault, area, mark) => ({ env: { ...told(fault, area, mark), LD_PRELOAD: shim }, args: [] }),
    };
  const inject = pathToFileURL(join(import.meta.dirname, "inject.mjs")).href;
  return {
    name: "Node's calls (the shim for system calls needs Linux and a C compiler)",
    prepare: (fault, area, mark) => ({ env: told(fault, area, mark), args: ["--import", inject] }),
  };
}

/** Tells whether a fault is one that its call can have: only a write can be short or torn. */
export function isPossible({ call, kind }: Pick<Fault, "call" | "kind">): boolean {
  return call === "write" || (kind !== "short" && kind !== "torn");
}

function compile(folder: string): string | undefined {
  if (process.platform !== "linux" || process.env.WAYMARK_FAULTS_IN_NODE !== undefined) return undefined;
  const shim = join(folder, "shim.so");
  const source = join(import.meta.dirname, "shim.c");
  for (const compiler of ["cc", "gcc", "clang"]) {
    const made = spawnSync(compiler, ["-shared", "-fPIC", "-O1", "-w", "-o", shim, source, "-ldl"]);
    if (made.status === 0) return shim;
  }
  return undefined;
}
