import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { type Fault, type Injector, isPossible } from "./injector.ts";
import { checkPromises, type Said } from "./promises.ts";
import { saidBy } from "./said-by.ts";

/** Which faults to go through: for every call and kind, n = 1, 1 + step, … until no fault fires. */
export type Sweep = {
  readonly calls: readonly Fault["call"][];
  readonly kinds: readonly Fault["kind"][];
  readonly step: number;
  /** Milliseconds between transitions: a retired copy is used again only after a while. */
  readonly pause: number;
};

/** Bundles the window that the faults happen to. */
export function buildWindow(folder: string): string {
  const outfile = join(folder, "window.mjs");
  const entry = join(import.meta.dirname, "window.ts");
  buildSync({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", target: "node20" });
  return outfile;
}

/** Runs the script once for every fault, several at a time, and checks the promises after each; answers how many faults fired. */
export async function sweep(
  folder: string,
  window: string,
  injector: Injector,
  { calls, kinds, step, pause }: Sweep,
): Promise<number> {
  const series = calls.flatMap((call) =>
    kinds.filter((kind) => isPossible({ call, kind })).map((kind) => ({ call, kind })),
  );
  let fired = 0;
  const worker = async (): Promise<void> => {
    for (let next = series.shift(); next !== undefined; next = series.shift())
      for (let n = 1; await strike(folder, window, injector, { ...next, n }, pause); n += step) fired += 1;
  };
  await Promise.all([worker(), worker()]);
  return fired;
}

/** One run with one fault; false where it never came to it. */
async function strike(
  folder: string,
  window: string,
  injector: Injector,
  fault: Fault,
  pause: number,
): Promise<boolean> {
  const area = mkdtempSync(join(folder, "area-"));
  const mark = `${area}.fired`;
  const { env, args } = injector.prepare(fault, area, mark);
  const said = await saidBy<Said>([...args, window, area, `${pause}`], env);
  try {
    await checkPromises(area, said);
  } catch (error) {
    throw new Error(`${fault.call} ${fault.n} ${fault.kind} in ${area}: ${JSON.stringify(said)}`, { cause: error });
  }
  const isFired = existsSync(mark);
  rmSync(area, { recursive: true });
  return isFired;
}
