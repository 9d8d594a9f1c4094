import type { CheckRequest, Checks } from "../engine/ports/checks.ts";
import type { QueuedCheck, RunnerDispatch, WantedCheck } from "../engine/ports/runners.ts";
import { seenSeconds } from "../engine/ports/runners.ts";
import type { Check, CheckResult, CheckStatus } from "../gates/check.ts";
import { canonicalText, checkMeaning, isFromRequiredRunner } from "../gates/check-verdict.ts";
import { contentDigest } from "../gates/result-statement.ts";
import { defined } from "../kit/defined.ts";

/** The checks of a server that does not see the assistant's files: it checks submitted files itself and asks runners for the rest. */
export function remoteChecks(near: Checks, dispatch: RunnerDispatch): Checks {
  /** The wanted checks that are not on record yet, by the part that will be recorded. */
  const prepared = new Map<string, WantedCheck>();
  /** The checks last offered for each stream. */
  const awaited = new Map<string, readonly string[]>();

  async function look(asked: CheckRequest, check: Check): Promise<CheckStatus> {
    const wanted = await wantedFor(asked, check, dispatch.project);
    const { id, part } = wanted;
    const known = (await asked.results()).find(({ name }) => name === check.name);
    if (known !== undefined && (await isStillGood(known, wanted, asked, check))) return known;
    const queued = await dispatch.queue.find(id);
    const { note } = queued ?? {};
    // A person may have trusted it since an earlier call.
    if (note !== undefined && asked.tree?.wanted.has(id) === true) {
      if (note.kind === "failed") return { ...failedBy(check, part.definition), summary: note.text };
      return {
        name: check.name,
        status: "untrusted",
        definition: part.definition,
        summary: note.text,
        ...defined({ trust: note.trust }),
      };
    }
    asked.tree?.wanted.add(id);
    prepared.set(canonicalText({ ...part }), wanted);
    const waiting = await waitingFor(queued?.claim, check, asked);
    return { name: check.name, status: "running", definition: part.definition, wanted: part, ...waiting };
  }

  /** Tells if a recorded result is about what is submitted now. */
  async function isStillGood(
    known: CheckResult,
    wanted: WantedCheck,
    { tree, commit }: CheckRequest,
    check: Check,
  ): Promise<boolean> {
    const { signed } = known;
    if (signed === undefined || !isFromRequiredRunner(check, known)) return false;
    const { statement } = signed;
    const { definition, digest } = wanted.part;
    if (statement.wanted !== definition || statement.submission !== digest) return false;
    if (!(await dispatch.counts(signed))) return false;
    if (signed.level === "independent") return commit === undefined || statement.commit === commit;
    if (known.status === "failed" || signed.key !== tree?.bridge?.key) return true;
    // Only the bridge knows whether its files have changed since.
    return tree.valid.has(statement.nonce) || tree.wanted.has(wanted.id);
  }

  async function waitingFor(
    claim: QueuedCheck["claim"],
    check: Check,
    { tree }: CheckRequest,
  ): Promise<{ readonly summary: string; readonly start?: string }> {
    if (claim !== undefined) return { summary: `being run by ${claim.runner ?? "the caller's own runner"}` };
    if (tree?.bridge !== undefined && check.runner === undefined)
      return { summary: "waiting for the runner beside the caller" };
    const level = check.runner ?? "local";
    const summary = level === "independent" ? "waiting for an independent runner" : "waiting for a runner";
    const since = Date.now() - seenSeconds * 1000;
    const seen = await dispatch.sightings.list("runner");
    const isThere = seen.some(
      ({ at, about }) =>
        Date.parse(at) > since &&
        about.project === dispatch.project &&
        (check.runner === undefined || about.level === level),
    );
    return isThere
      ? { summary }
      : { summary: `${summary}; none was seen in the last minute`, start: dispatch.startCommand(level) };
  }

  return {
    async start(asked) {
      const own = asked.checks.filter(({ kind }) => kind === "file");
      const found = own.length === 0 ? [] : await near.start({ ...asked, checks: own });
      const statuses: CheckStatus[] = [];
      for (const check of asked.checks)
        statuses.push(found.find(({ name }) => name === check.name) ?? (await look(asked, check)));
      return statuses;
    },
    async offer(checks) {
      const offered: WantedCheck[] = [];
      for (const check of checks) {
        const key = "wanted" in check && check.wanted !== undefined ? canonicalText({ ...check.wanted }) : "";
        const wanted = prepared.get(key);
        prepared.delete(key);
        if (wanted !== undefined) offered.push(wanted);
      }
      const [first] = offered;
      if (first === undefined) return;
      const earlier = (await dispatch.queue.list(dispatch.project)).filter((one) =>
        offered.some((now) => isReplaced(one, now)),
      );
      for (const { id } of earlier) await dispatch.queue.remove(id);
      for (const wanted of offered) await dispatch.queue.put(wanted);
      awaited.set(
        canonicalText({ ...first.stream }),
        offered.map(({ id }) => id),
      );
      await dispatch.wake(first.stream);
    },
    stale: async () => [],
    async waitForEnd(stream, ms) {
      const ids = awaited.get(canonicalText({ ...stream })) ?? [];
      const isOver = async (): Promise<boolean> => {
        const left = (await Promise.all(ids.map(dispatch.queue.find))).filter((one) => one !== undefined);
        return left.length === 0 || left.some(({ note }) => note !== undefined);
      };
      for (const until = performance.now() + ms; !(await isOver()); ) {
        const rest = until - performance.now();
        if (rest <= 0) return false;
        await dispatch.nextChange(Math.min(1000, rest), stream);
      }
      return true;
    },
    close: () => near.close(),
  };
}

/** Tells if a wanted check takes the place of an earlier one: the same step of the same caller, of which something has changed. */
function isReplaced(one: WantedCheck, now: WantedCheck): boolean {
  const place = ({ stream, ref, part, bridge }: WantedCheck): string =>
    canonicalText([{ ...stream }, ref.workflow, ref.step, part.check, bridge === undefined ? null : { ...bridge }]);
  return one.id !== now.id && place(one) === place(now);
}

function failedBy({ name }: Check, definition: string) {
  return { name, status: "failed", definition, reads: "" } as const;
}

/** Names one check of one submission, for runners. */
async function wantedFor(asked: CheckRequest, check: Check, project: string): Promise<WantedCheck> {
  const { id: stream, ref, content, since, tree, commit } = asked;
  const definition = canonicalText(checkMeaning(check));
  const part = { check: check.name, definition, digest: contentDigest(content), ...defined({ commit }) };
  const history = (await asked.historyName?.()) ?? { project: "", first: undefined };
  const bridge = tree?.bridge;
  const names = { project: history.project, first: history.first ?? null };
  const id = canonicalText([project, { ...stream }, { ...ref }, part, bridge === undefined ? null : { ...bridge }]);
  return { id, project, stream, ref, part, check, content, history: names, ...defined({ since, bridge }) };
}
