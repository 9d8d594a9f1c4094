import { definitionsFolder } from "../../app/open-workplace.ts";
import { holdsDefinitions } from "../../hosts/init/plan.ts";
import { approverName, approverNameRule } from "../../people/approver.ts";
import { giveIdentity } from "../../people/identity-file.ts";
import { publicKeyFingerprint } from "../../people/runner-key.ts";
import { ownRunnerKey } from "../../people/runner-keys-folder.ts";
import { putRunner, readRunners, runnersFile } from "../../people/runners-file.ts";
import { oneLine, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, placesFor } from "../terminal/workplace-options.ts";

export type EnrollRunnerOptions = PlaceOptions & { readonly public?: string; readonly json?: true };

/** Creates a runner's key, or takes the existing one of that name, and adds its public part to the runners. */
export async function enrollRunner(written: string, options: EnrollRunnerOptions): Promise<void> {
  const name = approverName(written);
  if (name === undefined)
    throw new UserError(`${oneLine(written).slice(0, 100)} is not a valid name: use ${approverNameRule}.`);
  const made = options.public === undefined ? await ownRunnerKey(name) : undefined;
  const spki = made?.own.public ?? options.public ?? "";
  const key = publicKeyFingerprint(spki);
  if (key === undefined)
    throw new UserError("--public is not the public key of a runner. Copy it from waymark runner --enroll there.");
  const definitions = definitionsFolder(placesFor(options));
  const isHere = holdsDefinitions(definitions);
  if (isHere) await addRunner(definitions, { name, key, public: spki });
  const { file } = made ?? {};
  if (options.json === true) return printJson({ name, key, public: spki, enrolled: isHere, ...(file && { file }) });
  print(
    `Runner ${name}: ${key}`,
    ...(file === undefined ? [] : [`Its key is in ${file}; keep it from the assistants that it checks.`]),
    isHere
      ? `It is in ${runnersFile} beside the definitions. It counts once an approver trusts it: waymark trust`
      : `There are no definitions here. Where they are, run: waymark runner --enroll ${name} --public ${spki}`,
  );
}

async function addRunner(
  definitions: string,
  { name, key, public: spki }: { readonly name: string; readonly key: string; readonly public: string },
): Promise<void> {
  const known = await readRunners(definitions);
  if ("problem" in known) throw new UserError(`${known.problem}. Fix it or remove it from the definitions.`);
  const same = known.find((one) => one.key === key);
  if (same !== undefined && same.name !== name)
    throw new UserError(`${runnersFile} already lists this key as ${same.name}. One key belongs to one runner.`);
  if (same !== undefined) return;
  giveIdentity(definitions);
  const problem = await putRunner(definitions, { name, key, public: spki, enrolled: new Date().toISOString() });
  if (problem !== undefined) throw new UserError(`${problem}. Run the command again.`);
}
