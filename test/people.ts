import { generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { listApprovers, machineTrustedApprovers } from "../src/app/list-approvers.ts";
import { openWorkplace } from "../src/app/open-workplace.ts";
import type { AnswerRequest } from "../src/engine/answer-request.ts";
import type { SignedStatement, Statement } from "../src/gates/approval-statement.ts";
import { type Approver, keyFingerprint } from "../src/people/approver.ts";
import { addApprover } from "../src/people/approvers-file.ts";
import { storeKey } from "../src/people/own-keys.ts";
import { makeKey, type SealedKey } from "../src/people/sealed-key.ts";
import { signStatement } from "../src/people/sign-statement.ts";
import { waymark } from "./command-line.ts";
import { openTerminal, type Terminal } from "./hosts/terminal.ts";
import type { Project } from "./project.ts";
import { removeFolder } from "./temporary.ts";

/** A person with a home of their own: what is theirs on this machine, and commands that they run at a terminal. */
export type Sitting = {
  readonly configHome: string;
  /** Runs a command of ours in the project, at a pseudo-terminal. */
  runs(project: Pick<Project, "root">, args: readonly string[], env?: Readonly<Record<string, string>>): Terminal;
};

/** Somebody who sits down at this machine, with nothing of theirs on it yet. */
export function sitDown(): Sitting {
  const configHome = mkdtempSync(join(tmpdir(), "waymark-config-"));
  onTestFinished(() => removeFolder(configHome));
  return {
    configHome,
    runs({ root }, args, more = {}) {
      const { PATH = "", HOME = "", XDG_STATE_HOME = "" } = process.env;
      const terminal = openTerminal({
        command: process.execPath,
        args: [waymark, ...args, "--root", root],
        cwd: root,
        env: { PATH, HOME, XDG_STATE_HOME, XDG_CONFIG_HOME: configHome, ...more },
      });
      onTestFinished(() => terminal.close());
      return terminal;
    },
  };
}

/** Answers a question that the screen shows. */
export async function reply(terminal: Terminal, question: string | RegExp, text: string): Promise<void> {
  await terminal.sees(question);
  await terminal.type(text);
  await terminal.press("enter");
}

/** Makes a key at a terminal and names it among the approvers. */
export async function enrolls(
  person: Sitting,
  project: Pick<Project, "root">,
  name: string,
  passphrase: string,
): Promise<void> {
  const terminal = person.runs(project, ["approve", "--enroll", name]);
  await reply(terminal, "Choose a passphrase", passphrase);
  await reply(terminal, "Repeat it:", passphrase);
  await terminal.ends();
}

/** Trusts the first approver that is not trusted yet. */
export async function trusts(person: Sitting, project: Pick<Project, "root">): Promise<void> {
  const terminal = person.runs(project, ["trust"]);
  await reply(terminal, "Trust this approver on this machine?", "y");
  await terminal.ends();
}

/** Somebody with a sealed key, enrolled and trusted here as they would be at a terminal. */
export async function keyed(
  project: Pick<Project, "root">,
  name: string,
  passphrase = "correct horse",
): Promise<Sitting> {
  const person = sitDown();
  const own = await sealedKey(name, passphrase);
  expect(await storeKey(own, join(person.configHome, "waymark/keys"))).toBe(true);
  const { key, public: spki } = own;
  await enrolled(project, { name, kind: "ed25519", key, public: spki, enrolled: new Date().toISOString() });
  return person;
}

const sealed = new Map<string, Promise<SealedKey>>();

/** Seals a key once for each name and passphrase in this process: sealing is slow on purpose. */
function sealedKey(name: string, passphrase: string): Promise<SealedKey> {
  const about = JSON.stringify([name, passphrase]);
  const made = sealed.get(about) ?? makeKey(name, passphrase);
  sealed.set(about, made);
  return made;
}

/** Somebody whose key is not sealed: for what is decided about statements, whoever typed which passphrase. */
export type Signer = Approver & {
  /** Signs a statement, with a nonce of its own where none is given. */
  signs(statement: Omit<Statement, "v" | "nonce" | "at"> & Partial<Statement>): SignedStatement;
};

/** Makes somebody a key. */
export function signer(name: string): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const spki = publicKey.export({ type: "spki", format: "der" });
  const key = keyFingerprint(spki);
  const at = new Date().toISOString();
  return {
    ...{ name, kind: "ed25519", key, public: spki.toString("base64"), enrolled: at },
    signs: (said) =>
      signStatement({ v: said.first === undefined ? 1 : 2, nonce: randomUUID(), at, ...said }, key, privateKey),
  };
}

/** Names somebody among the approvers of a project, and trusts them on this machine unless told otherwise. */
export async function enrolled(project: Pick<Project, "root">, one: Approver, isTrusted = true): Promise<void> {
  const definitions = join(project.root, ".waymark");
  const { name, key, enrolled: at } = one;
  const approver: Approver = { name, kind: "ed25519", key, public: one.public, enrolled: at };
  expect(await addApprover(definitions, approver)).toBeUndefined();
  if (!isTrusted) return;
  const listed = await listApprovers({ definitions, areas: [project.root] });
  const place = "problem" in listed ? "" : (listed[0]?.place ?? "");
  await machineTrustedApprovers([project.root]).decide({ word: "yes", name, key, place, at });
}

/** Opens the engine of the project's bot, where what waits is looked at and answered. */
export async function streamOf({ root }: Pick<Project, "root">, run?: string) {
  const workplace = openWorkplace({ root });
  onTestFinished(() => workplace.close());
  const engine = await workplace.engine("story_bot", run);
  /** What waits, and what a person states of it. */
  const waiting = async () => {
    const found = (await engine.submissions()).find(({ waits }) => waits !== undefined);
    if (found?.waits === undefined) throw new Error("nothing waits");
    const { project, first, run: stream, digest } = found.waits;
    const history = first === undefined ? { project } : { project, first };
    return { ref: found.ref, about: { ...found.ref, ...history, run: stream, digest } };
  };
  /** Answers as somebody else's program would, with whatever statement it has got hold of. */
  const answers = async (signed: SignedStatement, over: Partial<AnswerRequest> = {}): Promise<string> => {
    const { ref, about } = await waiting();
    const { decision, comment } = signed.statement;
    const said = comment === undefined ? {} : { comment };
    const asked: AnswerRequest = { ref, digest: about.digest, decision, ...said, signed, ...over };
    const { outcome } = await engine.answer({ id: randomUUID() }, asked);
    if (outcome.kind !== "refused") return outcome.kind;
    return "problem" in outcome.refusal && typeof outcome.refusal.problem === "string"
      ? outcome.refusal.problem
      : outcome.refusal.kind;
  };
  return { engine, waiting, answers };
}
