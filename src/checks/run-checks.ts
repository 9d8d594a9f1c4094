import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Checks, ChecksAsked, DeskId } from "../engine/ports.ts";
import type { Check, CheckResult, CheckStanding, CommandCheck } from "../evidence/check.ts";
import { fileDefinition } from "../evidence/check-schema.ts";
import { checkMeaning, holds, nameOf } from "../evidence/check-verdict.ts";
import { digestOf } from "../evidence/json.ts";
import { scriptsBehind } from "./commands/behind.ts";
import { type CommandTools, readsOf, runCommandCheck } from "./commands/command-check.ts";
import { definitionOf } from "./commands/pins.ts";
import { withRemarks } from "./commands/remarks.ts";
import { type LetGo, takeTurn } from "./commands/turn.ts";
import { type CheckSchema, checkFile, withSchema } from "./files/file-check.ts";
import { changedBetween, type FileReader } from "./files/reads.ts";
import { filesIn, type ReadsMemory } from "./files/reads-memory.ts";
import { checkGit } from "./git/git-check.ts";
import type { Decided } from "./trust.ts";

export type ChecksPlace = {
  /** The work tree that checks look at. */
  readonly area: string;
  /** Where it is noted, outside of every project, which work trees have a check running. */
  readonly turns: string;
  /** What a person has decided about a command here, by the name of what it would run. */
  readonly decided: (definition: string) => Promise<Decided | undefined>;
  /** Marks a result as this machine's own; undefined where nothing can be kept. */
  readonly seal: (about: string, result: string) => string | undefined;
  readonly checkSchema: CheckSchema;
  /** Remembers which files a proof read, as long as it can. */
  readonly memory: ReadsMemory;
  /** What commands are run with, made when the first is. */
  readonly tools: () => Promise<CommandTools>;
  /** What reads the files of proofs, where nothing is run. */
  readonly reader: () => Promise<FileReader>;
};

type Running = { readonly desk: string; readonly done: Promise<void>; since: number; isWaiting: boolean };

/** The checks of one work tree. */
export function checksIn(place: ChecksPlace): Checks {
  const running = new Map<string, Running>();
  /** What failed and may have been told to another window only: it is told here too, once. */
  const heard = new Map<string, CheckResult>();
  const stopping = new AbortController();
  /** One after another: they would disturb each other. */
  let last: Promise<unknown> = Promise.resolve();

  async function look(asked: ChecksAsked, check: Check): Promise<CheckStanding> {
    if (check.kind === "command") return lookAtCommand(asked, check);
    const { name } = check;
    if (check.kind === "file") {
      const handed = await asked.handedIn?.(check.path);
      const whole = await withSchema(check, place.checkSchema);
      const definition = fileDefinition(whole);
      return { name, definition, ...(await checkFile(place.area, whole, place.checkSchema, handed)) };
    }
    const found = await checkGit(place.area, check, asked.startedAt);
    return { name, definition: nameOf(checkMeaning(check)), reads: "", ...found };
  }

  async function lookAtCommand(asked: ChecksAsked, check: CommandCheck): Promise<CheckStanding> {
    const { name } = check;
    const definition = await definitionOf(place.area, check);
    const decided = await place.decided(definition);
    if (decided?.word !== "yes") {
      const why = decided === undefined ? "no person has trusted it here" : "a person has said no to it here";
      return { name, status: "untrusted", definition, summary: `${why}: ${check.run.join(" ")}` };
    }
    const { read } = await place.tools();
    const now = await readsOf(place.area, check, read);
    const known = await knownOf(asked, name);
    const key = nameOf([{ ...asked.id }, { ...asked.ref }, name, definition]);
    const told = heard.get(key);
    heard.delete(key);
    // One that failed is told of once, whatever it left behind; what the next try finds is another result.
    if (known?.status === "failed" && known.definition === definition) return known;
    if (known !== undefined && "reads" in now && holds(known, definition, now.reads)) return known;
    if (told !== undefined && "reads" in now && holds(told, definition, now.reads)) return told;
    const { since, isWaiting } = running.get(key) ?? begin(key, asked, check, definition);
    const seconds = Math.round((performance.now() - since) / 1000);
    const summary = isWaiting
      ? "it waits until another check of this work tree has ended"
      : `it has been running for ${seconds} s`;
    return { name, status: "running", definition, summary, seconds };
  }

  /** The files that a proof read and that have changed since; undefined where none has. */
  async function changedSince(
    check: Check,
    { reads }: CheckResult,
    readNow: (check: CommandCheck) => ReturnType<typeof readsOf>,
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

  async function waitForTurn(): Promise<LetGo | undefined> {
    while (!stopping.signal.aborted) {
      const letGo = await takeTurn(place.turns, place.area);
      if (letGo !== undefined) return letGo;
      await pause(250, undefined, { ref: false });
    }
    return undefined;
  }

  /** What is on record of a check and this machine put there: a record that anybody else wrote proves nothing. */
  async function knownOf(asked: ChecksAsked, name: string): Promise<CheckResult | undefined> {
    const found = (await asked.known()).find((one) => one.name === name);
    return found !== undefined && isSealed(asked, found) ? found : undefined;
  }

  const isSealed = (asked: ChecksAsked, { seal, ...result }: CheckResult): boolean =>
    seal !== undefined && seal === sealOf(asked, result);

  const sealOf = ({ id, ref }: ChecksAsked, result: CheckResult): string | undefined =>
    place.seal(nameOf([{ ...id }, { ...ref }]), digestOf(JSON.parse(JSON.stringify(result))));

  async function isDone(asked: ChecksAsked, check: CommandCheck, definition: string, { read }: CommandTools) {
    const now = await readsOf(place.area, check, read);
    const result = await knownOf(asked, check.name);
    return result !== undefined && "reads" in now && holds(result, definition, now.reads);
  }

  /** A result with what a person should hear beside it: fewer tests than before, another script than was trusted. */
  async function remarked(asked: ChecksAsked, check: CommandCheck, result: CheckResult): Promise<CheckResult> {
    const before = await asked.before(check.name);
    const memory = place.memory;
    return withRemarks(result, {
      before,
      filesBefore: before === undefined ? undefined : await memory.find(before.reads),
      files: await memory.find(result.reads),
      trusted: (await place.decided(result.definition))?.behind,
      behind: await scriptsBehind(place.area, check),
    });
  }

  function begin(key: string, asked: ChecksAsked, check: CommandCheck, definition: string): Running {
    const work = async (): Promise<void> => {
      const earlier = await asked.before(check.name);
      const letGo = await waitForTurn();
      if (letGo === undefined) return;
      try {
        begun.isWaiting = false;
        begun.since = performance.now();
        const tools = await place.tools();
        // Whoever had the turn before may have run just this.
        if (await isDone(asked, check, definition, tools)) return;
        const told = await asked.before(check.name);
        if (told !== undefined && isSealed(asked, told) && !isDeepStrictEqual(told, earlier)) {
          heard.set(key, told);
          return;
        }
        const handed = asked.content;
        const asking = { area: place.area, check, definition, handed, stop: stopping.signal };
        const ran = await runCommandCheck(asking, tools);
        if (stopping.signal.aborted) return;
        const read = await readsOf(place.area, check, tools.read);
        if ("files" in read && read.reads === ran.reads) await place.memory.keep(read.reads, read.files);
        const result = await remarked(asked, check, ran);
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
    done.catch(() => undefined); // who waits for it hears of it
    const begun: Running = { desk: nameOfDesk(asked.id), done, since: performance.now(), isWaiting: true };
    running.set(key, begun);
    return begun;
  }

  return {
    async look(asked) {
      const standings: CheckStanding[] = [];
      for (const check of asked.checks) standings.push(await look(asked, check));
      return standings;
    },
    async stale(proofs) {
      const read = await place.reader();
      /** Many proofs read the same files: each is read once. */
      const readings = new Map<string, ReturnType<typeof readsOf>>();
      const readNow = (check: CommandCheck): ReturnType<typeof readsOf> => {
        const { reads = null, reports, never = [], env } = check;
        const key = nameOf([reads, reports, never, env]);
        const reading = readings.get(key) ?? readsOf(place.area, check, read);
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
    async ended(id, ms) {
      const own = [...running.values()].filter(({ desk }) => desk === nameOfDesk(id));
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

function nameOfDesk(id: DeskId): string {
  return nameOf({ ...id });
}
