import { randomBytes } from "node:crypto";
import type { ClaimedCheck, QueuedCheck, RunnerClaim, RunnerDispatch, RunnerRequest } from "../engine/ports/runners.ts";
import { engineOf, type Workplace } from "../engine/workplace.ts";
import { statedRun } from "../gates/approval-statement.ts";
import { type ResultStatement, type RunnerLevel, resultProblem, resultText } from "../gates/result-statement.ts";
import { defined } from "../kit/defined.ts";
import { json } from "./json-response.ts";
import type { Principal } from "./principal.ts";
import { notFound, refusal } from "./refusal-response.ts";
import { runnerRequest } from "./runner-requests.ts";

/** The dependencies of the endpoint of one project's runners. */
export type RunnerEndpointDeps = {
  readonly workplace: Workplace;
  readonly dispatch: RunnerDispatch;
  /** Finds a runner whose key an approver trusts; undefined if none does. */
  findRunner(key: string): Promise<{ readonly name: string; readonly level: RunnerLevel } | undefined>;
  /** The fingerprint of a public key, and whether it signed a text. */
  keyOf(spki: string): string | undefined;
  isSigned(text: string, by: { readonly key: string; readonly public: string; readonly signature: string }): boolean;
  /** The seconds for which a claim holds without being renewed. */
  readonly leaseSeconds?: number;
};

/** Answers a runner's request; `ends` when the server stops or the runner hangs up. */
export type RunnerEndpoint = (body: unknown, principal: Principal, ends: AbortSignal) => Promise<Response>;

/** Hands out the checks of one project: a claim at a time, the check by its hash, and results only under a claim that still holds. */
export function runnerEndpoint(deps: RunnerEndpointDeps): RunnerEndpoint {
  const { dispatch, leaseSeconds = 60 } = deps;
  const seen = new Map<string, number>();

  /** A runner's key at its level; an agent's token only serves a bridge's own calls. */
  async function identify(
    principal: Principal,
    key: string,
  ): Promise<{ readonly runner?: string; readonly level: RunnerLevel } | Response> {
    if (principal.role === "agent" || principal.role === "author") return { level: "local" };
    const found = await deps.findRunner(key);
    if (found !== undefined) return { runner: found.name, level: found.level };
    if (principal.role === undefined) return { level: "local" }; // a person at this machine, as over stdio
    return refusal(
      403,
      "forbidden",
      `No approver has trusted the key ${key.slice(0, 16)} for this project. Enroll it with waymark runner --enroll NAME, and have an approver run waymark trust.`,
    );
  }

  function mayClaim(
    wanted: QueuedCheck,
    { principal, key, instance, runner, level }: Omit<RunnerClaim, "nonce">,
  ): boolean {
    if (wanted.claim !== undefined) return wanted.claim.instance === instance && wanted.claim.principal === principal;
    if (wanted.note !== undefined) return false;
    if (wanted.check.runner === "independent") return level === "independent";
    const { bridge } = wanted;
    if (bridge === undefined) return runner !== undefined || principal === anybody;
    return level === "independent" || (bridge.principal === principal && bridge.key === key);
  }

  async function claim(
    request: RunnerRequest & { do: "claim" },
    caller: Principal,
    ends: AbortSignal,
  ): Promise<Response> {
    const key = deps.keyOf(request.public);
    if (key === undefined)
      return refusal(400, "invalid_input", "public is not an Ed25519 key in SPKI form, in base64.");
    const own = await identify(caller, key);
    if (own instanceof Response) return own;
    const { id: principal, name } = caller;
    const about = { principal, key, public: request.public, instance: request.instance, ...own };
    if (own.runner !== undefined) await noteSeen(key, { runner: own.runner, level: own.level, token: name ?? "" });
    for (const until = performance.now() + request.wait * 1000; ; ) {
      for (const wanted of await dispatch.queue.list(dispatch.project)) {
        if (!mayClaim(wanted, about)) continue;
        const claimed = wanted.claim ?? { nonce: randomBytes(16).toString("hex"), ...about };
        if (ends.aborted || !(await dispatch.queue.claim(wanted.id, claimed, leaseSeconds))) continue;
        return json({ claimed: claimedCheck(wanted, claimed, leaseSeconds) });
      }
      const rest = until - performance.now();
      if (rest <= 0 || ends.aborted) return json({ claimed: null });
      await dispatch.nextChange(Math.min(rest, 1000));
    }
  }

  async function noteSeen(key: string, about: Record<string, string>): Promise<void> {
    const now = Date.now();
    if (now - (seen.get(key) ?? 0) < 10_000) return;
    seen.set(key, now);
    await dispatch.sightings.note("runner", {
      name: `${dispatch.project} ${key}`,
      at: new Date(now).toISOString(),
      about: { ...about, project: dispatch.project, key },
    });
  }

  /** Records a result, after everything it claims was proved. */
  async function record(
    request: RunnerRequest & { do: "result" },
    wanted: QueuedCheck,
    claimed: RunnerClaim,
  ): Promise<Response> {
    const { statement, signature, result } = request;
    const { key, level, runner } = claimed;
    const by = { key, public: claimed.public, signature };
    if (!deps.isSigned(resultText(statement), by))
      return refusal(403, "forbidden", "The signature is not that of the key that claimed the check.");
    const problem =
      resultProblem(statement, statementAbout(wanted, claimed), result) ?? commitProblem(statement, wanted, level);
    if (problem !== undefined) return refusal(409, "conflict", `The result was not accepted: ${problem}.`);
    const engine = await engineOf(deps.workplace, wanted.stream);
    if (engine === undefined) return notFound();
    const signed = { statement, level, ...by, ...defined({ runner }) };
    const caller = { id: `runner.${key.slice(0, 16)}`, client: "waymark runner", ...defined({ name: runner }) };
    const counts = await engine.recordCheck(caller, wanted.ref, { ...result, signed });
    await dispatch.queue.remove(wanted.id);
    await dispatch.wake(wanted.stream);
    return counts
      ? json({ recorded: true })
      : refusal(
          409,
          "conflict",
          "The attempt that the check was for is no longer open, so the result was not recorded.",
        );
  }

  return async (body, principal, ends) => {
    const read = runnerRequest.safeParse(body);
    if (!read.success) return refusal(400, "invalid_input", "This is not a request of a runner.");
    const request = read.data;
    deps.workplace.beginCall();
    if (request.do === "claim") return claim(request, principal, ends);
    const wanted = await dispatch.queue.find(request.id);
    const claimed = wanted?.claim;
    // Without the claim a caller learns nothing, not even that the check exists.
    if (wanted === undefined || claimed?.nonce !== request.nonce || claimed.principal !== principal.id)
      return leaseLost();
    switch (request.do) {
      case "check":
        return request.definition === wanted.part.definition ? json({ check: wanted.check }) : notFound();
      case "renew":
        return (await dispatch.queue.renew(wanted.id, request.nonce, leaseSeconds))
          ? json({ lease: leaseSeconds })
          : leaseLost();
      case "decline": {
        const isReleased = await dispatch.queue.release(wanted.id, request.nonce, request.note);
        await dispatch.wake(wanted.stream);
        return isReleased ? json({ released: true }) : leaseLost();
      }
      case "result":
        return record(request, wanted, claimed);
    }
  };
}

const anybody = "anybody";

function leaseLost(): Response {
  return refusal(
    409,
    "conflict",
    "This claim does not hold: its lease has expired, or the check is no longer wanted. Claim again.",
  );
}

function claimedCheck(
  { check: _, bridge: __, claim: ___, note: ____, ...wanted }: QueuedCheck,
  { nonce, level }: RunnerClaim,
  lease: number,
): ClaimedCheck {
  return { ...wanted, nonce, lease, level };
}

/** The parts of a result's statement that the claim fixes. */
function statementAbout({ part, ref, stream, history }: QueuedCheck, { nonce }: RunnerClaim): Partial<ResultStatement> {
  const { workflow, step, pass, attempt } = ref;
  const place = { ...history, run: statedRun(stream), workflow, step, pass, attempt };
  return { nonce, ...place, wanted: part.definition, submission: part.digest };
}

function commitProblem(
  { commit, changes }: ResultStatement,
  { part }: QueuedCheck,
  level: RunnerLevel,
): string | undefined {
  if (part.commit !== undefined && commit !== part.commit)
    return `it ran on the commit ${commit ?? "of no repository"}, and ${part.commit} was submitted`;
  if (level === "independent" && commit === null) return "an independent runner works on a commit";
  return level === "independent" && changes !== null
    ? "an independent runner works on a checkout without changes"
    : undefined;
}
