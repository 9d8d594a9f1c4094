import { join } from "node:path";
import { runnerLink } from "../../src/checks/runner/runner-link.ts";
import type { ClaimedCheck, RunnerRequest } from "../../src/engine/ports/runners.ts";
import { statedRun } from "../../src/gates/approval-statement.ts";
import type { CheckResult } from "../../src/gates/check.ts";
import { type ResultStatement, type RunnerLevel, resultDigest, resultText } from "../../src/gates/result-statement.ts";
import { giveIdentity } from "../../src/people/identity-file.ts";
import { makeRunnerKey, type RunnerKey, signText } from "../../src/people/runner-key.ts";
import { putRunner } from "../../src/people/runners-file.ts";
import { trustAs } from "./trusting.ts";

/** A runner whose requests are made by hand. */
export type HandRunner = {
  readonly own: RunnerKey;
  ask(request: RunnerRequest): Promise<{ readonly status: number; readonly said: Record<string, unknown> }>;
  claim(wait?: number): Promise<ClaimedCheck | null>;
  /** Sends a result; `change` bends what is signed, `after` what is sent beside the signature. */
  send(
    claimed: ClaimedCheck,
    how?: SendOptions,
  ): Promise<{ readonly status: number; readonly said: Record<string, unknown> }>;
};

export type SendOptions = {
  readonly result?: Partial<CheckResult>;
  readonly change?: Partial<ResultStatement>;
  readonly after?: { readonly result?: Partial<CheckResult>; readonly statement?: Partial<ResultStatement> };
  readonly by?: RunnerKey;
};

/** Enrolls a runner whose key an approver trusts at a level, as they would at a terminal. */
export async function enrolledRunner(root: string, name: string, level: RunnerLevel): Promise<RunnerKey> {
  const definitions = join(root, ".waymark");
  giveIdentity(definitions);
  const { own } = makeRunnerKey();
  await putRunner(definitions, { name, key: own.key, public: own.public, enrolled: new Date().toISOString() });
  await trustAs(root, name, level);
  return own;
}

/** A runner by hand, with a key and a token. */
export function byHand(
  url: string,
  own: RunnerKey,
  token?: string,
  instance: string = own.key.slice(0, 32),
): HandRunner {
  const link = runnerLink(new URL(url), async () => token);
  const ask: HandRunner["ask"] = async (request) => link(request);
  return {
    own,
    ask,
    async claim(wait = 0) {
      const { status, said } = await ask({ do: "claim", public: own.public, instance, wait });
      if (status !== 200) throw new Error(`${status} ${said.message}`);
      return (said.claimed ?? null) as ClaimedCheck | null;
    },
    send(claimed, { result: more = {}, change = {}, after = {}, by = own } = {}) {
      const { id, nonce, history, stream, ref, part } = claimed;
      const result: CheckResult = {
        name: part.check,
        status: "passed",
        definition: "d",
        reads: "r",
        summary: "1 of 1 tests passed",
        facts: { tests: 1, passed: 1, failed: 0, skipped: 0 },
        exit: 0,
        ...more,
      };
      const { workflow, step, pass, attempt } = ref;
      const statement: ResultStatement = {
        ...{ v: 1, kind: "check", nonce, ...history, run: statedRun(stream), workflow, step, pass, attempt },
        ...{ check: part.check, wanted: part.definition, submission: part.digest, status: result.status },
        ...{
          exit: result.exit ?? null,
          facts: result.facts ?? {},
          reads: result.reads,
          commit: part.commit ?? null,
          changes: null,
        },
        ...{ result: resultDigest(result), at: new Date().toISOString(), ...change },
      };
      const signature = signText(resultText(statement), by);
      return ask({
        do: "result",
        id,
        nonce,
        signature,
        result: { ...result, ...after.result },
        statement: { ...statement, ...after.statement },
      });
    },
  };
}
