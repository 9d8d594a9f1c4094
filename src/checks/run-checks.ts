import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { CheckRequest, Checks } from "../engine/ports/checks.ts";
import type { Check, CheckResult, CheckStatus, CommandCheck } from "../gates/check.ts";
import { fileDefinition } from "../gates/check-schema.ts";
import { canonicalText, checkMeaning, isStillValid } from "../gates/check-verdict.ts";
import { digestOf } from "../kit/json.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { TrustDecision } from "./command-trust.ts";
import { type CommandTools, hashReads, runCommandCheck } from "./commands/command-check.ts";
import { packageScriptsOf } from "./commands/package-scripts.ts";
import { commandHash, pinnedCommand } from "./commands/pinned-command.ts";
import { withRemarks } from "./commands/result-remarks.ts";
import { type ReleaseTurn, takeTurn } from "./commands/work-tree-turn.ts";
import { type CheckSchema, checkFile, withSchema } from "./files/file-check.ts";
import { changedBetween, type FileReader } from "./files/file-reader.ts";
import { filesIn, type ReadsMemory } from "./files/reads-memory.ts";
import { checkGit } from "./git/git-check.ts";
import { treeComparer } from "./git/tree-changes.ts";

export type ChecksDeps = {
  /** The work tree that checks read. */
  readonly area: string;
  /** The folder, outside every project, that records which work trees have a check running. */
  readonly turns: string;
  /** A person's decision about a command on this machine, by the hash of what would run. */
  readonly decided: (definition: string) => Promise<TrustDecision | undefined>;
  /** The command by which a person decides about it. */
  readonly trust: string;
  /** Seals a result as this machine's own; undefined if no key can be stored. */
  readonly seal: (about: string, result: string) => string | undefined;
  readonly checkSchema: CheckSchema;
  /** Remembers which files a proof read. */
  readonly memory: ReadsMemory;
  /** Makes the tools that run commands, on first use. */
  readonly tools: () => Promise<CommandTools>;
  /** Makes the reader for proofs when nothing is run. */
  readonly reader: () => Promise<FileReader>;
};

type RunningCheck = { readonly stream: string; readonly done: Promise<void>; since: number; isWaiting: boolean };

/** The checks of one work tree. */
export function checksIn(place: ChecksDeps): Checks {
  const running = new Map<string, RunningCheck>();
  const compare = treeComparer();
  /** Failures that only another window may have seen; each is reported here once too. */
  const heard = new Map<string, CheckResult>();
  const stopping = new AbortController();
  /** Checks run one after another, since they would disturb each other. */
  let last: Promise<unknown> = Promise.resolve();

  async function look(asked: CheckRequest, check: Check): Promise<CheckStatus> {
    if (check.kind === "command") return lookAtCommand(asked, check);
    const { name } = check;
    if (check.kind === "file") {
      const submitted = await asked.submittedFile?.(check.path);
      const whole = await withSchema(check, place.checkSchema);
      const definition = fileDefinition(whole);
      return { name, definition, ...(await checkFile(place.area, whole, place.checkSchema, submitted)) };
    }
    const found = await checkGit(place.area, check, asked.since, compare);
    return { name, definition: canonicalText(checkMeaning(check)), reads: "", ...found };
  }

  async function lookAtCommand(asked: CheckRequest, check: CommandCheck): Promise<CheckStatus> {
    const { name } = check;
    const definition = await commandHash(place.area, check);
    const decided = await place.decided(definition);
    if (decided?.word !== "yes") {
      const why = decided === undefined ? "not trusted on this machine" : "rejected on this machine";
      const { trust } = place;
      return { name, status: "untrusted", definition, summary: `${why}: ${check.run.join(" ")}`, trust };
    }
    const { read } = await place.tools();
    const now = await hashReads(place.area, check, read);
    const known = await recordedResult(asked, name);
    const key = canonicalText([{ ...asked.id }, { ...asked.ref }, name, definition]);
    const reported = heard.get(key);
    heard.delete(key);
    // A failure is reported once, even if it left files behind; the next attempt has its own result.
    if (known?.status === "failed" && known.definition === definition) return known;
    if (known !== undefined && "reads" in now && isStillValid(known, definition, now.reads)) return known;
    if (reported !== undefined && "reads" in now && isStillValid(reported, definition, now.reads)) return reported;
    const { since, isWaiting } = running.get(key) ?? begin(key, asked, check, definition);
    const seconds = Math.round((performance.now() - since) / 1000);
    const summary = isWaiting ? "waiting for another check of this work tree to finish" : `running for ${seconds} s`;
    return { name, status: "running", definition, summary, seconds };
  }

  /** The files a proof read that have changed since; undefined if none has. */
  async function changedSince(
    check: Check,
    { reads }: CheckResult,
    readNow: (check: CommandCheck) => ReturnType<typeof hashReads>,
  ): Promise<readonly string[] | undefined> {
    if (check.kind === "git") return undefined;
    if (check.kind === "file") {
      const now = await checkFile(place.area, check, place.checkSchema);
      return now.reads === reads ? undefined : [check.path];
    }
    const now = await readNow(check);
    if ("problem" in now) return [];
    if (filesIn(now.reads) === filesIn(reads)) return undefined;
    const before = await place.memory.find(reads);
    return before === undefined ? [] : changedBetween(before, now.files);
  }

  async function waitForTurn(): Promise<ReleaseTurn | undefined> {
    while (!stopping.signal.aborted) {
      const letGo = await takeTurn(place.turns, place.area);
      if (letGo !== undefined) return letGo;
      await pause(250, undefined, { ref: false });
    }
    return undefined;
  }

  /** The recorded result of a check, if this machine sealed it; any other proves nothing. */
  async function recordedResult(asked: CheckRequest, name: string): Promise<CheckResult | undefined> {
    const found = (await asked.results()).find((one) => one.name === name);
    return found !== undefined && isSealed(asked, found) ? found : undefined;
  }

  const isSealed = (asked: CheckRequest, { seal, ...result }: CheckResult): boolean =>
    seal !== undefined && seal === sealOf(asked, result);

  const sealOf = ({ id, ref }: CheckRequest, result: CheckResult): string | undefined =>
    place.seal(canonicalText([{ ...id }, { ...ref }]), digestOf(JSON.parse(JSON.stringify(result))));

  async function isDone(asked: CheckRequest, check: CommandCheck, definition: string, { read }: CommandTools) {
    const now = await hashReads(place.area, check, read);
    const result = await recordedResult(asked, check.name);
    return result !== undefined && "reads" in now && isStillValid(result, definition, now.reads);
  }

  /** Adds remarks to a result: fewer tests than before, another script than was trusted. */
  async function withResultRemarks(
    asked: CheckRequest,
    check: CommandCheck,
    result: CheckResult,
  ): Promise<CheckResult> {
    const before = await asked.previousResult(check.name);
    const memory = place.memory;
    return withRemarks(result, {
      before,
      filesBefore: before === undefined ? undefined : await memory.find(before.reads),
      files: await memory.find(result.reads),
      trusted: (await place.decided(result.definition))?.behind,
      behind: await packageScriptsOf(place.area, check),
    });
  }

  function begin(key: string, asked: CheckRequest, check: CommandCheck, definition: string): RunningCheck {
    const work = async (): Promise<void> => {
      const earlier = await asked.previousResult(check.name);
      const letGo = await waitForTurn();
      if (letGo === undefined) return;
      try {
        begun.isWaiting = false;
        begun.since = performance.now();
        const tools = await place.tools();
        // The previous holder of the turn may have run this check.
        if (await isDone(asked, check, definition, tools)) return;
        // Trust and what is trusted may have changed while it waited: the next call says so.
        if ((await place.decided(definition))?.word !== "yes") return;
        const pinned = await pinnedCommand(place.area, check);
        if (pinned.definition !== definition) return;
        const reported = await asked.previousResult(check.name);
        if (reported !== undefined && isSealed(asked, reported) && !isDeepStrictEqual(reported, earlier)) {
          heard.set(key, reported);
          return;
        }
        const submitted = asked.content;
        const asking = { area: place.area, check, pinned, submitted, stop: stopping.signal };
        const ran = await runCommandCheck(asking, tools);
        if (stopping.signal.aborted) return;
        const read = await hashReads(place.area, check, tools.read);
        if ("files" in read && read.reads === ran.reads) await place.memory.keep(read.reads, read.files);
        const result = await withResultRemarks(asked, check, ran);
        const seal = sealOf(asked, result);
        const sealed = seal === undefined ? result : { ...result, seal };
        if (result.status === "failed") heard.set(key, sealed);
        await asked.record(sealed);
      } finally {
        await letGo();
      }
    };
    const done = last.then(work, work).finally(() => running.delete(key));
    last = done.catch(() => undefined);
    done.catch(() => undefined); // waiters get the error
    const begun: RunningCheck = { stream: streamName(asked.id), done, since: performance.now(), isWaiting: true };
    running.set(key, begun);
    return begun;
  }

  return {
    async start(asked) {
      const statuses: CheckStatus[] = [];
      for (const check of asked.checks) statuses.push(await look(asked, check));
      return statuses;
    },
    async stale(proofs) {
      const read = await place.reader();
      /** Many proofs read the same files: each is read once. */
      const readings = new Map<string, ReturnType<typeof hashReads>>();
      const readNow = (check: CommandCheck): ReturnType<typeof hashReads> => {
        const { reads = null, reports, never = [], env } = check;
        const key = canonicalText([reads, reports, never, env]);
        const reading = readings.get(key) ?? hashReads(place.area, check, read);
        readings.set(key, reading);
        return reading;
      };
      const found = await Promise.all(
        proofs.map(async (proof) => {
          const files = await changedSince(proof.check, proof.result, readNow);
          return files === undefined ? [] : [{ proof, files }];
        }),
      );
      return found.flat();
    },
    async waitForEnd(id, ms) {
      const own = [...running.values()].filter(({ stream }) => stream === streamName(id));
      if (own.length === 0) return false;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), ms);
      });
      const ended = await Promise.race([...own.map(({ done }) => done.then(() => true)), late]);
      clearTimeout(timer);
      return ended;
    },
    close: () => stopping.abort(),
  };
}

function streamName(id: StreamId): string {
  return canonicalText({ ...id });
}
