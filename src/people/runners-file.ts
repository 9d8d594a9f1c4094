import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/v4";
import { type RunnerTrustStatement, runnerLevels, runnerTrustText } from "../gates/result-statement.ts";
import { parsedJson } from "../kit/json.ts";
import { type Approver, approverName, keyFingerprint } from "./approver.ts";
import { writeBeside } from "./approvers-file.ts";
import { isSignedText } from "./runner-key.ts";

/** The file beside the definitions that lists the runners and who trusts them at which level. */
export const runnersFile = "runners.json";

/** A runner's key, with the approver's signature that trusts it. */
export type EnrolledRunner = z.infer<typeof runner>;

/** A runner whose key counts: at which level, and by whose trust. */
export type TrustedRunner = Pick<EnrolledRunner, "name" | "key" | "public"> & {
  readonly level: RunnerTrustStatement["level"];
  readonly by: string;
};

export type RunnersRead = readonly EnrolledRunner[] | { readonly problem: string };

/** Reads the runners of the definitions: none without a file, a problem if it cannot be used. */
export async function readRunners(definitions: string): Promise<RunnersRead> {
  const path = join(definitions, runnersFile);
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return [];
  const about = (problem: string) => ({ problem: `${runnersFile} cannot be used: ${problem}` });
  if (!stats.isFile() || stats.size > most)
    return about(stats.isFile() ? `it is larger than ${most} bytes` : "it is not a plain file");
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? about("it cannot be read") : parseRunners(text);
}

/** Parses `runners.json` strictly: a file not fully understood names no one. */
export function parseRunners(text: string): RunnersRead {
  const read = file.safeParse(parsedJson(text));
  if (read.success) return read.data.runners;
  const [issue] = read.error.issues;
  return {
    problem: `${runnersFile} cannot be used: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "it cannot be read"}`,
  };
}

/** Adds a runner, or replaces the one with its key; returns a problem if it cannot. */
export async function putRunner(definitions: string, entry: EnrolledRunner): Promise<string | undefined> {
  const known = await readRunners(definitions);
  if ("problem" in known) return known.problem;
  const runners = [...known.filter(({ key }) => key !== entry.key), entry];
  return writeBeside(definitions, runnersFile, `${JSON.stringify({ runners }, null, 2)}\n`);
}

/** The runners whose keys count in a project: each trusted by one of these approvers with a signature. */
export function trustedRunners(
  runners: readonly EnrolledRunner[],
  approvers: readonly Approver[],
  project: string,
): readonly TrustedRunner[] {
  return runners.flatMap((one) => {
    const level = trustOf(one, approvers, project);
    return "problem" in level ? [] : [{ name: one.name, key: one.key, public: one.public, ...level }];
  });
}

/** The level at which a runner is trusted and by whom, or why it is not. */
export function trustOf(
  { name, key, trust }: EnrolledRunner,
  approvers: readonly Approver[],
  project: string,
): Pick<TrustedRunner, "level" | "by"> | { readonly problem: string } {
  if (trust === undefined) return { problem: "no approver has trusted it (waymark trust)" };
  const { statement, signature } = trust;
  const approver = approvers.find((one) => one.key === trust.approver && one.kind === "ed25519");
  if (approver === undefined) return { problem: "the key that trusted it belongs to no approver" };
  if (statement.runner !== name || statement.key !== key) return { problem: "the trust is about another runner" };
  if (project === "" || statement.project !== project) return { problem: "the trust is about another project" };
  if (!isSignedText(runnerTrustText(statement), { ...approver, signature }))
    return { problem: "the signature of its trust is not valid" };
  return { level: statement.level, by: approver.name };
}

const most = 1024 * 1024;

const isOwnKey = ({ key, public: spki }: { key: string; public: string }): boolean =>
  keyFingerprint(Buffer.from(spki, "base64")) === key;

const name = z.string().refine((text) => approverName(text) === text, "is not a valid name");

const runner = z
  .strictObject({
    name,
    key: z.string(),
    public: z.string(),
    enrolled: z.string(),
    trust: z
      .strictObject({
        statement: z.strictObject({
          v: z.literal(1),
          kind: z.literal("runner"),
          project: z.string(),
          runner: name,
          key: z.string(),
          level: z.enum(runnerLevels),
          at: z.string(),
        }),
        /** The fingerprint of the approver's key. */
        approver: z.string(),
        signature: z.string(),
      })
      .optional(),
  })
  .refine(isOwnKey, "the key is not the fingerprint of its public key");

const file = z.strictObject({ $schema: z.string().optional(), runners: z.array(runner) });
