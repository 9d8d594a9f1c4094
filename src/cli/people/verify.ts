import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ComparedBase } from "../../app/compare-base.ts";
import { noteMissingFiles } from "../../app/missing-files.ts";
import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import { describeAnswer, type KnownApprovers } from "../../audit/audit-approvals.ts";
import { describeResult } from "../../audit/audit-results.ts";
import {
  type AuditedStream,
  auditStreams,
  forkedInWords,
  listForgotten,
  listProblems,
  type MissingHistory,
  signStreams,
} from "../../audit/audit-streams.ts";
import { forkedRecordsOf } from "../../audit/forked-records.ts";
import { hasUnseenAcceptance } from "../../audit/unseen-acceptances.ts";
import { newHeadKeys } from "../../audit/verify-heads.ts";
import { countText } from "../../kit/count-text.ts";
import { defined } from "../../kit/defined.ts";
import { localTime } from "../../kit/local-time.ts";
import { streamName } from "../../workflow/stream-id.ts";
import { oneLine, paint, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import {
  type PlaceOptions,
  parseRunName,
  placesFor,
  requireProject,
  unknownRunError,
  workplaceFor,
} from "../terminal/workplace-options.ts";
import { readPrivateKey, readPublicKey, requireOutsideProject } from "./read-keys.ts";

export type VerifyOptions = PlaceOptions & {
  readonly run?: string;
  readonly require?: string;
  readonly target?: string;
  readonly versions?: string;
  readonly base?: string;
  readonly allowDefinitions?: true;
  readonly summary?: string;
  readonly recheck?: true;
  readonly allowWaived?: true;
  readonly outcome?: string;
  readonly attestation?: string;
  readonly sign?: string;
  readonly key?: readonly string[];
  readonly approvers?: string;
  readonly newKey?: string;
  readonly accept?: true;
  readonly json?: true;
};

/** Verifies that the audit history is complete and unmodified; sets exit code 1 and names the first broken record. */
export async function verify(options: VerifyOptions): Promise<void> {
  const { base } = options;
  if (base === undefined) return verifyHere(options);
  const { withBase } = await import("./with-base.ts");
  return withBase({ ...options, base }, verifyHere);
}

async function verifyHere(options: VerifyOptions, base?: ComparedBase): Promise<void> {
  const places = placesFor(options);
  if (options.newKey !== undefined) return makeKeys(requireOutsideProject(options.newKey, places));
  const keys = (options.key ?? []).map((file) => readPublicKey(file));
  const workplace = workplaceFor(options);
  if (options.accept && !(await acceptProblems(workplace, options))) return;
  // Keys given with an attestation verify the attestation, not the heads.
  const ofHeads = options.attestation === undefined ? keys : [];
  const approvers = await approversFor(options.approvers, workplace.definitions);
  const { readRunners } = await import("../../people/runners-file.ts");
  const runners = await readRunners(workplace.definitions);
  const areas = await workplace.logs();
  const forgotten = await listForgotten(areas, parseRunName(options.run));
  const { streams, missing: gone } = await auditStreams(areas, ofHeads, { approvers, runners });
  const filtered = filterByRun(parseRunName(options.run), streams, gone);
  const { missing, elsewhere } = filtered;
  // with a database the files may be on any machine
  const audited = options.postgres === undefined ? await noteMissingFiles(filtered.audited) : filtered.audited;
  if (audited.length + missing.length + elsewhere.length + forgotten.length === 0 && options.attestation === undefined)
    await requireProject(workplace, options);
  const signed =
    options.sign === undefined
      ? []
      : await signStreams(requireSound(audited), readPrivateKey(options.sign, places), new Date());
  const { require: name, target, versions, recheck, allowWaived, allowDefinitions, outcome } = options;
  if (name === undefined && options.summary !== undefined) throw new UserError("--summary needs --require.");
  if (name === undefined && allowWaived !== undefined) throw new UserError("--allow-waived needs --require.");
  if (name === undefined && outcome !== undefined) throw new UserError("--outcome needs --require.");
  if (base === undefined && allowDefinitions !== undefined) throw new UserError("--allow-definitions needs --base.");
  if (name === undefined && versions !== undefined) throw new UserError("--versions needs --require.");
  if (name === undefined && recheck !== undefined) throw new UserError("--recheck needs --require.");
  const where = { definitions: workplace.definitions, projectArea: places.projectArea ?? places.root };
  // Comparing a walk needs every reader of the definitions: load them only then.
  const requiring = name === undefined ? undefined : { ...(await import("./require.ts")), name };
  const verdict = await requiring?.requireWorkflow(
    { require: requiring.name, target, versions, recheck, allowWaived, base, allowDefinitions, outcome },
    audited,
    where,
  );
  const reading = options.attestation === undefined ? undefined : await import("./verify-attestation.ts");
  const attested = await reading?.verifyAttestation(options.attestation ?? "", keys, streams);
  const problems = [...missing, ...audited.flatMap(listProblems)];
  if (options.summary !== undefined && verdict !== undefined)
    (await import("./write-summary.ts")).writeSummary(options.summary, verdict, problems);
  if (problems.length > 0 || verdict?.met === false || attested?.holds === false) process.exitCode = 1;
  if (options.json)
    return printJson({
      whole: problems.length === 0,
      definitions: await workplace.version(),
      desks: audited.map(asData),
      missing,
      problems,
      forgotten: forgotten.map(({ id, ...tombstone }) => ({ ...id, ...tombstone })),
      signed,
      ...(verdict === undefined ? {} : { required: requiring?.verdictData(verdict) }),
      ...defined({ attestation: attested }),
    });
  if (audited.length + missing.length + forgotten.length === 0) print("Nothing is recorded yet.");
  for (const stream of audited) printStream(stream);
  for (const problem of missing) print(paint("red", `✗ ${problem}`));
  for (const { id, records, head, at, by, reason } of forgotten) {
    const what = `${countText(records, "record")}, head ${head.slice(0, 16)}`;
    print(`– ${oneLine(`${streamName(id)}: forgotten by ${by} on ${localTime(at)} (${what}): ${reason}`)}`);
  }
  for (const note of elsewhere) print(paint("dim", `– ${note} from here: it is on another git branch`));
  if (signed.length > 0) print(`Signed ${countText(signed.length, "head")}.`);
  if (audited.length > 0 && signed.length === 0) print("", ...limitLines(audited, keys.length > 0));
  if (verdict !== undefined) requiring?.printVerdict(verdict);
  if (attested !== undefined) reading?.printAttestation(attested);
}

/** Loads the approvers to verify against: those of the given file, or of the definitions. */
async function approversFor(file: string | undefined, definitions: string): Promise<KnownApprovers> {
  const { readApprovers, readApproversIn } = await import("../../people/approvers-file.ts");
  if (file === undefined) return readApprovers(definitions);
  const read = existsSync(file) ? await readApproversIn(file) : { problem: "it does not exist" };
  if ("problem" in read) throw new UserError(`--approvers ${file}: ${read.problem}.`);
  return read;
}

/** Asks a person to accept the histories as they are; returns false if they decline. */
async function acceptProblems(workplace: OpenedWorkplace, options: VerifyOptions): Promise<boolean> {
  const { run: written, json } = options;
  if (json) throw new UserError("--accept asks a person, so it cannot be used with --json.");
  const [{ listAcceptable: acceptableOf }, { acceptAtTerminal }] = await Promise.all([
    import("../../audit/accept-history.ts"),
    import("./accept.ts"),
  ]);
  const run = parseRunName(written);
  const { streams, missing } = await auditStreams(await workplace.logs(), []);
  const gone = missing.filter(({ journal }) => journal.elsewhere !== true);
  const all = acceptableOf({ streams, missing: gone }).filter(({ id }) => (run ?? id.run) === id.run);
  if (all.length === 0) print("There is nothing to accept.", "");
  if (all.length === 0 || (await acceptAtTerminal(all, options))) return true;
  process.exitCode = 1;
  return false;
}

/** Filters by run; under committed histories, one that is on another branch is not missing. */
function filterByRun(
  run: string | undefined,
  streams: readonly AuditedStream[],
  gone: readonly MissingHistory[],
): {
  readonly audited: readonly AuditedStream[];
  readonly missing: readonly string[];
  readonly elsewhere: readonly string[];
} {
  const audited = streams.filter((stream) => run === undefined || run === (stream.run ?? stream.stream.session?.run));
  const notHere = gone.filter(({ id }) => (run ?? id.run) === id.run);
  if (run !== undefined && audited.length + notHere.length === 0) throw unknownRunError(run);
  const problems = (elsewhere: boolean): readonly string[] =>
    notHere.flatMap(({ problem, journal }) => ((journal.elsewhere === true) === elsewhere ? [problem] : []));
  return { audited, missing: problems(false), elsewhere: problems(true) };
}

function printStream(stream: AuditedStream): void {
  const { journal, files, heads } = stream;
  const problems = listProblems(stream);
  const { records, head, unfinished, lines } = journal;
  const torn = lines.filter(({ kind: what }) => what === "torn").length;
  const isCut = unfinished > 0 || files.some(({ verdict }) => verdict === "torn");
  const late = lines.filter(({ kind: what }) => what === "void").length;
  const markers = lines.filter(({ kind: what }) => what === "marker").length;
  const notes = [
    countText(records, "record"),
    records === 0 ? "" : `head ${head.slice(0, 16)}`,
    ...files.filter(({ verdict }) => verdict !== "differs").map(({ file, verdict }) => `${file} ${verdict}`),
    torn === 0 ? "" : `${countText(torn, "torn line")}, not counted`,
    late === 0 ? "" : `${countText(late, "late record")}, not counted`,
    markers === 0 ? "" : `${countText(markers, "git conflict marker")}, not counted`,
    isCut ? "the last write is incomplete; the next call repairs it" : "",
    ...heads.map(({ signed, verdict }) => `head ${signed.seq} signed ${signed.at.slice(0, 10)}: ${verdict}`),
  ].filter((note) => note !== "");
  const mark = problems.length === 0 ? paint("green", "✓") : paint("red", "✗");
  print(`${mark} ${streamName(stream)}: ${notes.join(", ")}`);
  for (const problem of problems) print(paint("red", `    ${problem}`));
  const accepted = forkedRecordsOf(journal).filter((one) => one.accepted);
  const proved = stream.approvals.filter(({ problem }) => problem === undefined).map(describeAnswer);
  const ran = stream.results.filter(({ problem }) => problem === undefined).map(describeResult);
  for (const one of [...proved, ...ran]) print(`    ${oneLine(one)}`);
  const said = [...accepted.map((one) => `${forkedInWords(journal, one)} (accepted)`), ...(journal.notes ?? [])];
  for (const note of said) print(paint("dim", `    ${note}`));
}

/** Describes the limits of the verification. */
function limitLines(audited: readonly AuditedStream[], hasKeys: boolean): string[] {
  const isSigned = audited.some(({ heads }) => heads.some(({ verdict }) => verdict === "holds"));
  const shown =
    "An intact chain (✓) means that no record was changed, removed or inserted later, unless everything after it was rewritten too.";
  if (isSigned) return [shown, "Up to each signed head, a full rewrite would show as well."];
  const what = hasKeys ? "No head is signed with one of the given keys" : "Heads are not signed";
  return [
    shown,
    `${what}: a full rewrite by someone who can write the files would not show (waymark verify --new-key, --sign).`,
  ];
}

function asData(stream: AuditedStream): object {
  const { name, kind, run, journal, files, heads } = stream;
  const { records, seq, head, first, breaks, unfinished, place } = journal;
  return {
    desk: name,
    kind,
    ...defined({ run }),
    file: place,
    records,
    seq,
    head,
    first,
    breaks,
    set_aside: forkedRecordsOf(journal),
    unfinished,
    files,
    heads,
    approvals: stream.approvals,
    ...(stream.results.length === 0 ? {} : { results: stream.results }),
    problems: listProblems(stream),
    notes: journal.notes ?? [],
  };
}

/** Throws if a history is broken or was accepted on another machine. */
function requireSound(audited: readonly AuditedStream[]): readonly AuditedStream[] {
  const broken = audited.find(({ journal }) => journal.breaks.length > 0);
  if (broken !== undefined)
    throw new UserError(`Not signed: the history of ${streamName(broken)} is broken. Run waymark verify for details.`);
  const unseen = audited.find(({ journal }) => hasUnseenAcceptance(journal));
  if (unseen !== undefined)
    throw new UserError(
      `Not signed: ${streamName(unseen)} was accepted on another machine. Accept it here with waymark verify --accept.`,
    );
  return audited;
}

function makeKeys(file: string): void {
  if (existsSync(file)) throw new UserError(`${file} already exists and is not overwritten.`);
  const { privateKey, publicKey } = newHeadKeys();
  mkdirSync(dirname(resolve(file)), { recursive: true });
  writeFileSync(file, privateKey, { mode: 0o600, flag: "wx" });
  writeFileSync(`${file}.pub`, publicKey, { flag: "wx" });
  print(
    `Wrote ${file} (private: keep it outside the project area) and ${file}.pub (give it to the people who verify).`,
  );
}
