import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ComparedBase, compareWithBase, openBase } from "../../app/compare-base.ts";
import { runOfWorkTree } from "../../workflow/run-name.ts";
import { oneLine } from "../terminal/print.ts";
import { showProgress } from "../terminal/progress.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, placesFor } from "../terminal/workplace-options.ts";

type BaseOptions = PlaceOptions & {
  readonly base: string;
  readonly require?: string;
  readonly versions?: string;
  readonly accept?: true;
  readonly run?: string;
};

/** Does something with the definitions of the base that the options name; what was read from git exists only for that time. */
export async function withBase<O extends BaseOptions>(
  options: O,
  verify: (options: O, base: ComparedBase) => Promise<void>,
): Promise<void> {
  if (options.require === undefined) throw new UserError("--base needs --require.");
  if (options.accept !== undefined) throw new UserError("--base judges a proposal: leave out --accept.");
  if (options.versions !== undefined) throw new UserError("--base says which versions count: leave out --versions.");
  const { root, definitions = join(root, ".waymark") } = placesFor(options);
  const into = mkdtempSync(join(tmpdir(), "waymark-base-"));
  try {
    const progress = showProgress((read, total) => `Reading version ${read} of ${total}`) ?? (() => {});
    const base = await openBase({ base: options.base, root, definitions, into, progress });
    if ("refused" in base) throw new UserError(`${oneLine(base.refused)}.`);
    const run = options.run === undefined ? {} : { run: runOfWorkTree(options.run) };
    await verify({ ...options, ...run, definitions: base.definitions }, { ...base, ...(await compareWithBase(base)) });
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}
