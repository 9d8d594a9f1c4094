import { join } from "node:path";
import { machineTrustedApprovers } from "../../src/app/list-approvers.ts";
import { projectOf } from "../../src/app/list-runners.ts";
import { type RunnerLevel, runnerTrustText } from "../../src/gates/result-statement.ts";
import { realPathOrSame } from "../../src/kit/real-path.ts";
import { addApprover } from "../../src/people/approvers-file.ts";
import { makeRunnerKey, signText } from "../../src/people/runner-key.ts";
import { putRunner, readRunners } from "../../src/people/runners-file.ts";

/** Trusts an enrolled runner at a level, as an approver would at a terminal. */
export async function trustAs(root: string, name: string, level: RunnerLevel): Promise<void> {
  const definitions = join(root, ".waymark");
  const runners = await readRunners(definitions);
  const runner = "problem" in runners ? undefined : runners.find((one) => one.name === name);
  if (runner === undefined) throw new Error(`There is no runner ${name}.`);
  const approver = makeRunnerKey().own;
  const at = new Date().toISOString();
  const person = `approver-of-${name}`;
  await addApprover(definitions, {
    name: person,
    kind: "ed25519",
    key: approver.key,
    public: approver.public,
    enrolled: at,
  });
  const place = await realPathOrSame(definitions);
  await machineTrustedApprovers([root]).decide({ word: "yes", name: person, key: approver.key, place, at });
  const statement = {
    v: 1,
    kind: "runner",
    project: await projectOf(definitions),
    runner: name,
    key: runner.key,
    level,
    at,
  } as const;
  const trust = { statement, approver: approver.key, signature: signText(runnerTrustText(statement), approver) };
  await putRunner(definitions, { ...runner, trust });
}
