import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AuditedStream, auditStreams, countedEvents, listProblems } from "../../audit/audit-streams.ts";
import { type Claim, claimFinder, describeClaim } from "../../audit/claims-and-facts.ts";
import { type EventMark, markEvents } from "../../audit/event-marks.ts";
import { exportStream } from "../../audit/export-stream.ts";
import { forkedRecordsOf } from "../../audit/forked-records.ts";
import { durationText } from "../../dashboard/overview/duration-text.ts";
import { gapTexts, logRows } from "../../dashboard/overview/log-row.ts";
import { countText } from "../../kit/count-text.ts";
import { checkText } from "../../messages/check-text.ts";
import { version } from "../../version.ts";
import type { Event } from "../../workflow/events.ts";
import { streamName } from "../../workflow/stream-id.ts";
import { jsonText, oneLine, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import {
  type PlaceOptions,
  parseRunName,
  placesFor,
  unknownRunError,
  workplaceFor,
} from "../terminal/workplace-options.ts";
import { existingRun } from "./find-session.ts";

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

/** Exports the audit as Markdown and JSON, or the histories, files or picture if requested. */
export async function exportAudit(asked: string | undefined, options: ExportOptions): Promise<void> {
  if (options.svg === true) return (await import("./export-picture.ts")).exportPicture(asked, options);
  const named = await existingRun(workplaceFor(options), asked);
  if (options.content !== undefined)
    return (await import("./export-content.ts")).exportContent(named, options.content, options);
  if (named !== undefined && (options.history ?? options.attestation) !== undefined)
    throw new UserError("--history and --attestation cover every run: leave the run's name out.");
  if (options.history !== undefined)
    return (await import("./export-import-history.ts")).exportHistory(options.history, options);
  const run = parseRunName(options.run);
  const all = (await auditStreams(await workplaceFor(options).logs(), [])).streams;
  if (options.attestation !== undefined) return attest(all, run, options, options.attestation);
  if ((options.sign ?? options.target) !== undefined) throw new UserError("--sign and --target need --attestation.");
  const streams = all.filter(
    (one) => (run ?? one.run) === one.run && (named === undefined || `${named}.`.startsWith(`${one.name}.`)),
  );
  if (streams.length === 0 && all.length > 0) throw unknownRunError(run ?? named);
  if (streams.length === 0) throw new UserError("Nothing is recorded yet, so there is nothing to export.");
  const exportedAt = new Date().toISOString();
  const written: ExportedStream[] = [];
  for (const stream of streams) written.push({ ...stream, events: await countedEvents(stream) });
  const data = {
    exported_at: exportedAt,
    waymark: version,
    desks: written.map((stream) => exportStream(stream, stream.events)),
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
  all: readonly AuditedStream[],
  run: string | undefined,
  options: ExportOptions,
  attestation: string | true,
): Promise<void> {
  const streams = all.filter((stream) => run === undefined || run === (stream.run ?? stream.stream.session?.run));
  if (run !== undefined && streams.length === 0) throw unknownRunError(run);
  const [{ exportAttestation }, { readPrivateKey }] = await Promise.all([
    import("./export-attestation.ts"),
    import("../people/read-keys.ts"),
  ]);
  const { sign, target, out, json } = options;
  const key = sign === undefined ? undefined : readPrivateKey(sign, placesFor(options));
  return exportAttestation(streams, { attestation, target, key, out, isData: json === true });
}

type ExportedStream = AuditedStream & { readonly events: readonly Event[] };

function markdown(streams: readonly ExportedStream[], exportedAt: string): string {
  const parts = streams.map((stream) => {
    const { name, journal, events } = stream;
    const marks = markEvents(events);
    const problems = listProblems(stream);
    const state =
      problems.length === 0
        ? `The chain of ${countText(journal.records, "record")} in \`${journal.place}\` is intact; its head is \`${journal.head}\`.`
        : ["**This record is broken**:", "", ...problems.map((problem) => `- ${cell(problem)}`)].join("\n");
    const claimsAt = claimFinder();
    const rows = events.flatMap((event) => tableRows(name, event, marks.get(event), claimsAt(event)));
    const forked = forkedRecordsOf(journal).flatMap((record) =>
      record.events.flatMap((event) => tableRows(name, event, undefined, [])),
    );
    const title = streamName(stream);
    const heading = `## ${title.charAt(0).toUpperCase()}${title.slice(1)}`;
    return [
      heading,
      "",
      state,
      "",
      ...table(rows),
      "",
      ...(forked.length === 0 ? [] : [...forkedSection(forked), ""]),
    ].join("\n");
  });
  const about = `Exported on ${exportedAt} by Waymark ${version}. Times are UTC. An approval is *proven* if a person signed it with their own key, *elicited* if the client asked a person or they answered at a terminal, *relayed* if the assistant passed it on, and *auto* if the author lets the step continue by itself. Evidence is *claimed* by the assistant or *found* by a check that Waymark ran.`;
  return `# Audit\n\n${about}\n\n${parts.join("\n")}`;
}

function table(rows: readonly string[]): string[] {
  return ["| when | what | where | approval and details |", "| --- | --- | --- | --- |", ...rows];
}

function forkedSection(rows: readonly string[]): string[] {
  return [
    "**Forked**: recorded on another git branch that was merged into this history. None of it counts.",
    "",
    ...table(rows),
  ];
}

function tableRows(stream: string, event: Event, mark: EventMark | undefined, claims: readonly Claim[]): string[] {
  return logRows(stream, event).map((row) => {
    const what = String(row.action_state ?? row.event ?? "").replaceAll("_", " ");
    const place = String(row.action ?? row.behavior ?? "")
      .split(".")
      .slice(1)
      .join(".");
    return `| ${[row.timestamp, what, place, detailTexts(event, mark, claims).join("; ")].map(cell).join(" | ")} |`;
  });
}

function detailTexts(event: Event, mark: EventMark | undefined, claims: readonly Claim[]): string[] {
  const said: string[] = [];
  if (mark !== undefined)
    said.push(
      mark.kind === "voided" ? `**voided** on ${mark.at} (${mark.by.replaceAll("_", " ")})` : `**${mark.kind}**`,
    );
  if (event.type === "completed") {
    const { word, duration, evidence, content = [], violations = [] } = event;
    said.push(
      "text" in word && word.text !== undefined ? `${word.level}: "${word.text}"` : word.level,
      durationText(duration),
    );
    const given = new Set(claims.map(({ field }) => field));
    const claimed = Object.entries(evidence ?? {}).filter(([field]) => !given.has(field));
    if (claimed.length > 0) said.push(`claimed evidence ${shortJson(Object.fromEntries(claimed))}`);
    said.push(...claims.map(describeClaim));
    for (const { path, sha256 } of content) said.push(`${path} (sha256 ${sha256.slice(0, 12)}…)`);
    const errors = violations.filter(({ severity }) => severity === "error").length;
    if (violations.length > 0)
      said.push(`${countText(errors, "error")}, ${countText(violations.length - errors, "warning")}`);
  }
  if (event.type === "checked") said.push(checkText(event.result), ...claims.map(describeClaim));
  if (event.type === "refused") said.push(event.code, ...gapTexts(event).slice(0, 5));
  if ("reason" in event && event.reason !== undefined) said.push(event.reason);
  return said;
}

function shortJson(value: object): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function cell(text: string): string {
  return oneLine(text).replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
