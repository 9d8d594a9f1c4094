import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AuditedDesk, auditDesks, eventsOf, problemsOf } from "../audit/audit.ts";
import { type Claim, claimFinder, claimText } from "../audit/claims.ts";
import { deskName } from "../audit/desk-name.ts";
import { type EventMark, markEvents } from "../audit/event-marks.ts";
import { exportedDesk } from "../audit/exported.ts";
import { setAsideOf } from "../audit/set-aside.ts";
import { gapsOf, logRows } from "../overview/log-row.ts";
import { version } from "../version.ts";
import { checkText } from "../words/check-words.ts";
import type { Event } from "../workflow/events.ts";
import { UserFault } from "./fault.ts";
import { jsonText, plain, print, printJson } from "./print.ts";
import { noRun, type PlaceOptions, placesFor, runNamed, workplaceFor } from "./workplace.ts";

export type ExportOptions = PlaceOptions & {
  readonly run?: string;
  readonly attestation?: string | true;
  readonly target?: string;
  readonly sign?: string;
  readonly history?: string;
  readonly content?: string;
  readonly svg?: true;
  readonly out: string;
  readonly json?: true;
};

/** Writes the audit of every history as Markdown and JSON; or, where that is asked for, the histories, or the files that runs have saved. */
export async function exportAudit(asked: string | undefined, options: ExportOptions): Promise<void> {
  if (options.content !== undefined)
    return (await import("./export-content.ts")).exportContent(asked, options.content, options);
  if (options.svg === true) return (await import("./export-picture.ts")).exportPicture(asked, options);
  if (asked !== undefined)
    throw new UserFault("A run is named with --content DIR, which writes its files, or with --svg, which draws it.");
  if (options.history !== undefined) return (await import("./move.ts")).exportHistory(options.history, options);
  const run = runNamed(options.run);
  const all = (await auditDesks(await workplaceFor(options).logs(), [])).desks;
  if (options.attestation !== undefined) return attest(all, run, options, options.attestation);
  if ((options.sign ?? options.target) !== undefined) throw new UserFault("--sign and --target go with --attestation.");
  const desks = run === undefined ? all : all.filter((desk) => desk.run === run);
  if (desks.length === 0 && all.length > 0) throw noRun(run);
  if (desks.length === 0) throw new UserFault("Nothing is on record yet: there is no audit to write.");
  const exportedAt = new Date().toISOString();
  const written: Written[] = [];
  for (const desk of desks) written.push({ ...desk, events: await eventsOf(desk) });
  const data = {
    exported_at: exportedAt,
    waymark: version,
    desks: written.map((desk) => exportedDesk(desk, desk.events)),
  };
  if (options.json) return printJson(data);
  mkdirSync(options.out, { recursive: true });
  const files = { "audit.json": `${jsonText(data, 2)}\n`, "audit.md": markdown(written, exportedAt) };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(options.out, name), text);
  print(
    `Wrote ${Object.keys(files)
      .map((name) => join(options.out, name))
      .join(" and ")}.`,
  );
}

async function attest(
  all: readonly AuditedDesk[],
  run: string | undefined,
  options: ExportOptions,
  attestation: string | true,
): Promise<void> {
  const desks = all.filter((desk) => run === undefined || run === (desk.run ?? desk.desk.session?.run));
  if (run !== undefined && desks.length === 0) throw noRun(run);
  const [{ exportAttestation }, { readPrivateKey }] = await Promise.all([
    import("./export-attestation.ts"),
    import("./keys.ts"),
  ]);
  const { sign, target, out, json } = options;
  const key = sign === undefined ? undefined : readPrivateKey(sign, placesFor(options));
  return exportAttestation(desks, { attestation, target, key, out, isData: json === true });
}

type Written = AuditedDesk & { readonly events: readonly Event[] };

function markdown(desks: readonly Written[], exportedAt: string): string {
  const parts = desks.map((desk) => {
    const { name, journal, events } = desk;
    const marks = markEvents(events);
    const problems = problemsOf(desk);
    const state =
      problems.length === 0
        ? `The chain of ${journal.records} record(s) in \`${journal.place}\` is whole; its head is \`${journal.head}\`.`
        : ["**This record is not whole**:", "", ...problems.map((problem) => `- ${cell(problem)}`)].join("\n");
    const claimsAt = claimFinder();
    const rows = events.flatMap((event) => rowsOf(name, event, marks.get(event), claimsAt(event)));
    const aside = setAsideOf(journal).flatMap((record) =>
      record.events.flatMap((event) => rowsOf(name, event, undefined, [])),
    );
    const title = deskName(desk);
    const heading = `## ${title.charAt(0).toUpperCase()}${title.slice(1)}`;
    return [heading, "", state, "", ...table(rows), "", ...(aside.length === 0 ? [] : [...setAside(aside), ""])].join(
      "\n",
    );
  });
  const about = `Exported on ${exportedAt} by Waymark ${version}. Times are UTC. A word is *proven* where a person signed it with a key of their own, *elicited* where the client asked a person or they answered at a terminal, *relayed* where the assistant passed it on, *auto* where the author lets the step go on by itself. Evidence is *claimed* by the assistant, or *found* by a check that Waymark ran.`;
  return `# Audit\n\n${about}\n\n${parts.join("\n")}`;
}

function table(rows: readonly string[]): string[] {
  return ["| when | what | where | on whose word, and details |", "| --- | --- | --- | --- |", ...rows];
}

function setAside(rows: readonly string[]): string[] {
  return [
    "**Set aside**: recorded on another git branch that was merged into this history. None of this counts.",
    "",
    ...table(rows),
  ];
}

function rowsOf(desk: string, event: Event, mark: EventMark | undefined, claims: readonly Claim[]): string[] {
  return logRows(desk, event).map((row) => {
    const what = String(row.action_state ?? row.event ?? "").replaceAll("_", " ");
    const place = String(row.action ?? row.behavior ?? "")
      .split(".")
      .slice(1)
      .join(".");
    return `| ${[row.timestamp, what, place, details(event, mark, claims).join("; ")].map(cell).join(" | ")} |`;
  });
}

function details(event: Event, mark: EventMark | undefined, claims: readonly Claim[]): string[] {
  const said: string[] = [];
  if (mark !== undefined)
    said.push(
      mark.kind === "voided" ? `**voided** on ${mark.at} (${mark.by.replaceAll("_", " ")})` : `**${mark.kind}**`,
    );
  if (event.type === "completed") {
    const { word, duration, evidence, content = [], violations = [] } = event;
    said.push(
      "text" in word && word.text !== undefined ? `${word.level}: "${word.text}"` : word.level,
      `${duration} s`,
    );
    const given = new Set(claims.map(({ field }) => field));
    const claimed = Object.entries(evidence ?? {}).filter(([field]) => !given.has(field));
    if (claimed.length > 0) said.push(`evidence as claimed ${short(Object.fromEntries(claimed))}`);
    said.push(...claims.map(claimText));
    for (const { path, sha256 } of content) said.push(`${path} (sha256 ${sha256.slice(0, 12)}…)`);
    if (violations.length > 0) said.push(`${violations.length} rule violation(s)`);
  }
  if (event.type === "checked") said.push(checkText(event.result), ...claims.map(claimText));
  if (event.type === "refused") said.push(event.code, ...gapsOf(event).slice(0, 5));
  if ("reason" in event && event.reason !== undefined) said.push(event.reason);
  return said;
}

function short(value: object): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function cell(text: string): string {
  return plain(text).replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
