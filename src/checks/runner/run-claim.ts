import type { Checks } from "../../engine/ports/checks.ts";
import type { ClaimedCheck, RunnerNote } from "../../engine/ports/runners.ts";
import { statedRun } from "../../gates/approval-statement.ts";
import type { Check, CheckResult, CheckStatus } from "../../gates/check.ts";
import { canonicalText, checkMeaning } from "../../gates/check-verdict.ts";
import { type ResultStatement, resultDigest, resultText } from "../../gates/result-statement.ts";
import { digestOf } from "../../kit/json.ts";
import { hashOfPlain } from "../files/read-plain.ts";
import { emptyTree } from "../git/list-against.ts";
import { commitOf, treeComparer } from "../git/tree-changes.ts";
import { runCheckAgain } from "../run-check-again.ts";
import { checkOut } from "./checkout.ts";
import type { RunnerLink } from "./runner-link.ts";

export type ClaimDeps = {
  readonly link: RunnerLink;
  /** The work tree of the runner. */
  readonly area: string;
  sign(text: string): string;
  /** Opens the checks of a folder, by the trust given for the runner's own. */
  checksIn(area: string): Checks;
  /** Notes a command that no person here has trusted, so that `waymark trust` shows it. */
  keepForTrust(check: Check): Promise<void>;
  /** Notes a result before it is sent. */
  onResult?(sent: SentResult): void;
  /** Hears of what the runner does, in a line. */
  readonly say: (line: string) => void;
};

/** A result that is sent. */
export type SentResult = {
  readonly nonce: string;
  readonly claimed: ClaimedCheck;
  readonly check: Check;
  readonly result: CheckResult;
};

const compare = treeComparer();

/** Runs one claimed check and sends its signed result, or the reason why there is none. */
export async function runClaim(deps: ClaimDeps, claimed: ClaimedCheck, stop: AbortSignal): Promise<void> {
  const { link, say } = deps;
  const { id, nonce, part, lease } = claimed;
  const held = { id, nonce };
  const over = new AbortController();
  const ends = AbortSignal.any([stop, over.signal]);
  const renewing = setInterval(
    () => {
      link({ do: "renew", ...held }).then(
        ({ status }) => status === 409 && over.abort(),
        () => undefined,
      );
    },
    (lease * 1000) / 3,
  );
  const decline = async (note: RunnerNote): Promise<void> => {
    say(`${part.check}: ${note.text}`);
    await link({ do: "decline", ...held, note });
  };
  try {
    const { said } = await link({ do: "check", ...held, definition: part.definition });
    const check = said.check as unknown as Check | undefined;
    if (check === undefined) return;
    if (canonicalText(checkMeaning(check)) !== part.definition)
      return await decline({ kind: "failed", text: "the server sent another check than it named" });
    const ran = await runIn(deps, claimed, check, ends);
    if (ends.aborted) return;
    if ("problem" in ran) return await decline({ kind: "failed", text: ran.problem });
    const { found, commit, changes } = ran;
    if (found.status === "untrusted") {
      await deps.keepForTrust(check);
      const { trust = "waymark trust" } = "trust" in found ? found : {};
      return await decline({ kind: "untrusted", text: `${found.summary}, where the runner is`, trust });
    }
    if (found.status !== "passed" && found.status !== "failed")
      return await decline({ kind: "failed", text: found.summary });
    const { seal: _, ...result } = found;
    // Known here before it is there: the assistant may be quicker than the answer.
    deps.onResult?.({ nonce, claimed, check, result });
    const statement = statementOf(claimed, result, { commit, changes });
    const sent = await link({ do: "result", ...held, result, statement, signature: deps.sign(resultText(statement)) });
    if (sent.status !== 200)
      return await decline({ kind: "failed", text: String(sent.said.message ?? `the server answered ${sent.status}`) });
    say(`${part.check} ${result.status}: ${result.summary}`);
  } finally {
    clearInterval(renewing);
  }
}

type Ran = { readonly found: CheckStatus; readonly commit: string | null; readonly changes: string | null };

/** Runs it in the work tree or, for an independent runner, in a fresh checkout of the wanted commit. */
async function runIn(
  deps: ClaimDeps,
  claimed: ClaimedCheck,
  check: Check,
  ends: AbortSignal,
): Promise<Ran | { readonly problem: string }> {
  if (claimed.level === "local") {
    const found = await runHere(deps, deps.area, claimed, check, ends);
    return { found, ...(await stateOf(deps.area)) };
  }
  const { commit } = claimed.part;
  if (commit === undefined)
    return {
      problem:
        "the assistant's commit is not known, and an independent runner works on a commit; connect the assistant with waymark serve --remote",
    };
  const checkout = await checkOut(deps.area, commit);
  if ("problem" in checkout) return checkout;
  try {
    return { found: await runHere(deps, checkout.area, claimed, check, ends), commit, changes: null };
  } finally {
    await checkout.remove();
  }
}

/** Runs it with checks of its own, which end with the claim. */
async function runHere(
  deps: ClaimDeps,
  area: string,
  { stream, ref, content, since }: ClaimedCheck,
  check: Check,
  ends: AbortSignal,
): Promise<CheckStatus> {
  const checks = deps.checksIn(area);
  const close = (): void => checks.close();
  ends.addEventListener("abort", close, { once: true });
  try {
    const asked = { id: stream, ref, check, content, ...(since === undefined ? {} : { since }) };
    return await runCheckAgain(checks, asked, () => undefined);
  } finally {
    ends.removeEventListener("abort", close);
    checks.close();
  }
}

/** The commit of a work tree, and the digest of what is not committed. */
async function stateOf(area: string): Promise<Pick<Ran, "commit" | "changes">> {
  const commit = await commitOf(area);
  if (commit === undefined) return { commit: null, changes: null };
  const changed = await compare(area, commit);
  const paths = "failed" in changed ? [changed.failed] : changed.paths;
  const hashes = await Promise.all(paths.map(async (path) => [path, (await hashOfPlain(area, path)) ?? null]));
  return { commit: commit === emptyTree ? null : commit, changes: paths.length === 0 ? null : digestOf(hashes) };
}

function statementOf(
  { nonce, history, stream, ref, part }: ClaimedCheck,
  result: CheckResult,
  state: Pick<Ran, "commit" | "changes">,
): ResultStatement {
  const { workflow, step, pass, attempt } = ref;
  const { name: check, status, exit = null, facts = {}, reads } = result;
  return {
    ...{ v: 1, kind: "check", nonce, ...history, run: statedRun(stream), workflow, step, pass, attempt },
    ...{ check, wanted: part.definition, submission: part.digest, status, exit, facts, reads, ...state },
    ...{ result: resultDigest(result), at: new Date().toISOString() },
  };
}
