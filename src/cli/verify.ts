import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { answerInWords, type KnownApprovers } from "../audit/approvals.ts";
import { type AuditedDesk, asideInWords, auditDesks, type Missing, problemsOf, signDesks } from "../audit/audit.ts";
import { deskName } from "../audit/desk-name.ts";
import { setAsideOf } from "../audit/set-aside.ts";
import { newHeadKeys } from "../audit/signed-heads.ts";
import { hasUnseen } from "../audit/unseen.ts";
import type { OpenedWorkplace } from "../compose.ts";
import { UserFault } from "./fault.ts";
import { outside, readPrivateKey, readPublicKey } from "./keys.ts";
import { paint, plain, print, printJson } from "./print.ts";
import { needProject, noRun, type PlaceOptions, placesFor, runNamed, workplaceFor } from "./workplace.ts";

export type VerifyOptions = PlaceOptions & {
  readonly run?: string;
  readonly require?: string;
  readonly target?: string;
  readonly versions?: string;
  readonly recheck?: true;
  readonly attestation?: string;
  readonly sign?: string;
  readonly key?: readonly string[];
  readonly approvers?: string;
  readonly newKey?: string;
  readonly accept?: true;
  readonly json?: true;
};

/** Proves that the audit history is whole and untouched, as far as a chain can; exits with 1 and the first break where it is not. */
export async function verify(options: VerifyOptions): Promise<void> {
  const places = placesFor(options);
  if (options.newKey !== undefined) return makeKeys(outside(options.newKey, places));
  const keys = (options.key ?? []).map((file) => readPublicKey(file));
  const workplace = workplaceFor(options);
  if (options.accept && !(await acceptAll(workplace, options))) return;
  // The keys that go with an attestation are its own: it names the end of each history that it tells of.
  const ofHeads = options.attestation === undefined ? keys : [];
  const approvers = await approversFor(options.approvers, workplace.definitions);
  const { desks, missing: gone } = await auditDesks(await workplace.logs(), ofHeads, approvers);
  const { audited, missing, elsewhere } = ofRun(runNamed(options.run), desks, gone);
  if (audited.length + missing.length + elsewhere.length === 0 && options.attestation === undefined)
    await needProject(workplace, options);
  const signed =
    options.sign === undefined ? [] : await signDesks(sound(audited), readPrivateKey(options.sign, places), new Date());
  const { require: name, target, versions, recheck } = options;
  if (name === undefined && versions !== undefined) throw new UserFault("--versions goes with --require.");
  if (name === undefined && recheck !== undefined) throw new UserFault("--recheck goes with --require.");
  const where = { definitions: workplace.definitions, projectArea: places.projectArea ?? places.root };
  // Holding a walk against the definitions takes all their readers: loaded where that is asked for.
  const requiring = name === undefined ? undefined : { ...(await import("./require.ts")), name };
  const verdict = await requiring?.judge({ require: requiring.name, target, versions, recheck }, audited, where);
  const reading = options.attestation === undefined ? undefined : await import("./verify-attestation.ts");
  const attested = await reading?.verifyAttestation(options.attestation ?? "", keys, desks);
  const problems = [...missing, ...audited.flatMap(problemsOf)];
  if (problems.length > 0 || verdict?.met === false || attested?.holds === false) process.exitCode = 1;
  if (options.json)
    return printJson({
      whole: problems.length === 0,
      definitions: await workplace.version(),
      desks: audited.map(asData),
      missing,
      problems,
      signed,
      ...(verdict === undefined ? {} : { required: requiring?.verdictData(verdict) }),
      ...(attested === undefined ? {} : { attestation: attested }),
    });
  if (audited.length === 0 && missing.length === 0) print("Nothing is on record yet.");
  for (const desk of audited) printDesk(desk);
  for (const problem of missing) print(paint("red", `✗ ${problem}`));
  for (const note of elsewhere) print(paint("dim", `– ${note} from here: git keeps it on another branch`));
  if (signed.length > 0) print(`Signed ${signed.length} head(s).`);
  if (audited.length > 0 && signed.length === 0) print("", ...limits(audited, keys.length > 0));
  if (verdict !== undefined) requiring?.printVerdict(verdict);
  if (attested !== undefined) reading?.printAttestation(attested);
}

/** Whose approvals are to be proved: of a file that is named, else those whom the definitions name. */
async function approversFor(file: string | undefined, definitions: string): Promise<KnownApprovers> {
  const { readApprovers, readApproversIn } = await import("../people/approvers-file.ts");
  if (file === undefined) return readApprovers(definitions);
  const read = existsSync(file) ? await readApproversIn(file) : { problem: "it is not there" };
  if ("problem" in read) throw new UserFault(`--approvers ${file}: ${read.problem}.`);
  return read;
}

/** Asks a person to take the histories as they stand; false where they do not. */
async function acceptAll(workplace: OpenedWorkplace, { run: written, json }: VerifyOptions): Promise<boolean> {
  if (json) throw new UserFault("--accept asks a person: leave --json out.");
  const [{ acceptableOf }, { acceptAtTerminal }] = await Promise.all([
    import("../audit/accept.ts"),
    import("./accept.ts"),
  ]);
  const run = runNamed(written);
  const { desks, missing } = await auditDesks(await workplace.logs(), []);
  const gone = missing.filter(({ journal }) => journal.elsewhere !== true);
  const all = acceptableOf({ desks, missing: gone }).filter(({ id }) => (run ?? id.run) === id.run);
  if (all.length === 0) print("There is nothing to accept.", "");
  if (all.length === 0 || (await acceptAtTerminal(all))) return true;
  process.exitCode = 1;
  return false;
}

/** What belongs to the run that is asked for, or everything. What is not on this branch is no loss where git keeps it on another. */
function ofRun(
  run: string | undefined,
  desks: readonly AuditedDesk[],
  gone: readonly Missing[],
): {
  readonly audited: readonly AuditedDesk[];
  readonly missing: readonly string[];
  readonly elsewhere: readonly string[];
} {
  const audited = desks.filter((desk) => run === undefined || run === (desk.run ?? desk.desk.session?.run));
  const notHere = gone.filter(({ id }) => (run ?? id.run) === id.run);
  if (run !== undefined && audited.length + notHere.length === 0) throw noRun(run);
  const problems = (elsewhere: boolean): readonly string[] =>
    notHere.flatMap(({ problem, journal }) => ((journal.elsewhere === true) === elsewhere ? [problem] : []));
  return { audited, missing: problems(false), elsewhere: problems(true) };
}

function printDesk(desk: AuditedDesk): void {
  const { journal, files, heads } = desk;
  const problems = problemsOf(desk);
  const { records, head, unfinished, lines } = journal;
  const torn = lines.filter(({ kind: what }) => what === "torn").length;
  const isCut = unfinished > 0 || files.some(({ verdict }) => verdict === "torn");
  const late = lines.filter(({ kind: what }) => what === "void").length;
  const markers = lines.filter(({ kind: what }) => what === "marker").length;
  const notes = [
    `${records} record(s)`,
    records === 0 ? "" : `head ${head.slice(0, 16)}`,
    ...files.filter(({ verdict }) => verdict !== "differs").map(({ file, verdict }) => `${file} ${verdict}`),
    torn === 0 ? "" : `${torn} torn line(s), never counted`,
    late === 0 ? "" : `${late} late record(s), never counted`,
    markers === 0 ? "" : `${markers} conflict marker(s) of git, never counted`,
    isCut ? "the last write was cut short: the next call mends it" : "",
    ...heads.map(({ signed, verdict }) => `head ${signed.seq} signed ${signed.at.slice(0, 10)}: ${verdict}`),
  ].filter((note) => note !== "");
  const mark = problems.length === 0 ? paint("green", "✓") : paint("red", "✗");
  print(`${mark} ${deskName(desk)}: ${notes.join(", ")}`);
  for (const problem of problems) print(paint("red", `    ${problem}`));
  const aside = setAsideOf(journal).filter(({ accepted }) => accepted);
  const proved = desk.approvals.filter(({ problem }) => problem === undefined).map(answerInWords);
  for (const one of proved) print(`    ${plain(one)}`);
  const said = [...aside.map((one) => `${asideInWords(journal, one)} (accepted)`), ...(journal.notes ?? [])];
  for (const note of said) print(paint("dim", `    ${note}`));
}

/** What the check can show, and what it cannot. */
function limits(audited: readonly AuditedDesk[], hasKeys: boolean): string[] {
  const isSigned = audited.some(({ heads }) => heads.some(({ verdict }) => verdict === "holds"));
  const shown =
    "A chain shows that no record was changed, dropped or put in after the fact by anyone who did not rewrite all that follows.";
  if (isSigned) return [shown, "Up to each signed head, a rewrite would show as well."];
  const what = hasKeys ? "No head was signed with a key that was given" : "Heads are not signed";
  return [
    shown,
    `${what}: a full rewrite by somebody who owns the files does not show (waymark verify --new-key, --sign).`,
  ];
}

function asData(desk: AuditedDesk): object {
  const { name, kind, run, journal, files, heads } = desk;
  const { records, seq, head, first, breaks, unfinished, place } = journal;
  return {
    desk: name,
    kind,
    ...(run === undefined ? {} : { run }),
    file: place,
    records,
    seq,
    head,
    first,
    breaks,
    set_aside: setAsideOf(journal),
    unfinished,
    files,
    heads,
    approvals: desk.approvals,
    problems: problemsOf(desk),
    notes: journal.notes ?? [],
  };
}

/** A broken history is not vouched for, and neither is somebody's word that nobody here has heard. */
function sound(audited: readonly AuditedDesk[]): readonly AuditedDesk[] {
  const broken = audited.find(({ journal }) => journal.breaks.length > 0);
  if (broken !== undefined)
    throw new UserFault(`Not signed: the history of ${deskName(broken)} is broken. waymark verify says where.`);
  const unseen = audited.find(({ journal }) => hasUnseen(journal));
  if (unseen !== undefined)
    throw new UserFault(
      `Not signed: ${deskName(unseen)} has an acceptance on record that was not given on this machine. waymark verify --accept asks for one.`,
    );
  return audited;
}

function makeKeys(file: string): void {
  if (existsSync(file)) throw new UserFault(`${file} is there already; it is not overwritten.`);
  const { privateKey, publicKey } = newHeadKeys();
  mkdirSync(dirname(resolve(file)), { recursive: true });
  writeFileSync(file, privateKey, { mode: 0o600, flag: "wx" });
  writeFileSync(`${file}.pub`, publicKey, { flag: "wx" });
  print(`Wrote ${file} (private: keep it outside the project area) and ${file}.pub (give it to whoever verifies).`);
}
