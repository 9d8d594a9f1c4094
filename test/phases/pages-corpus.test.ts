import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { callPhase } from "../phased.ts";
import { makeProject } from "../project.ts";
import { oneOf } from "../whole.ts";
import { openWindow } from "../window.ts";

/** A requirement as its author wrote it down beside the page, without having seen the reader. */
type Asked = {
  readonly text: string;
  readonly line: number;
  readonly name: string | null;
  readonly kind: "checked" | "asked" | "approval" | "either";
  readonly good: unknown;
  readonly bad?: unknown;
  readonly optional?: true;
  /** Says why the author's reading contradicts the contract; such a requirement is not judged. */
  readonly disputed?: string;
};
type Page = {
  readonly phases: readonly {
    readonly requirements: readonly Asked[];
    readonly not_read: readonly number[];
    readonly doubtful?: readonly number[];
  }[];
};
type Field = {
  readonly field: string;
  readonly line?: number;
  readonly checked: boolean;
  readonly type: string;
};
type Explained = {
  readonly closed: readonly { readonly message: string }[];
  readonly phases: readonly { readonly phase: number; readonly evidence: readonly Field[] }[];
};
type Echoed = { readonly line: number; readonly kind: string; readonly field?: string };

const corpus = join(import.meta.dirname, "../pages-corpus");
const pages = readdirSync(corpus).flatMap((half) =>
  readdirSync(join(corpus, half))
    .filter((file) => file.endsWith(".json"))
    .map((file) => `${half}/${file.slice(0, -".json".length)}`),
);
const figures = { pages: 0, started: 0, walked: 0, asked: 0, found: 0, notRead: 0, checkable: 0, enforced: 0 };
const faults: string[] = [];

test.each(oneOf(2, pages))(
  "%s asks for what its author wrote down, and walks to the end with honest values",
  async (name) => {
    const page: Page = JSON.parse(readFileSync(join(corpus, `${name}.json`), "utf8"));
    const before = faults.length;
    const fault = (kind: string, text: string): number => faults.push(`${kind}  ${name}  ${text}`);
    const project = makeProject();
    project.write("README.md", "# A file that is there\n");
    project.write(".waymark/workflows/page.md", readFileSync(join(corpus, `${name}.md`), "utf8"));
    const check = async (...args: readonly string[]) =>
      JSON.parse((await runCli(["check", ...args, "--json", "--root", project.root])).stdout);
    const read: Explained = await check("--explain", "page");
    const { lines: echoes }: { lines: readonly Echoed[] } = await check(
      join(project.root, ".waymark/workflows/page.md"),
    );
    const echoedAt = (line: number): readonly Echoed[] => echoes.filter((one) => one.line === line);
    figures.pages += 1;
    if (read.closed.length > 0 || read.phases.length !== page.phases.length)
      fault("closed", `${JSON.stringify(read.closed).slice(0, 200)} ${read.phases.length} phases`);
    const all = page.phases.flatMap(({ requirements }) => requirements);
    const evidence = read.phases.flatMap(({ phase, evidence }) => evidence.map((one) => ({ ...one, phase })));
    const taken = new Set<string>();
    /** The values to submit, by phase and field. */
    const values = new Map<number, Record<string, unknown>>(read.phases.map(({ phase }) => [phase, {}]));
    for (const asked of all) {
      const isOpen = asked.kind === "either" || asked.disputed !== undefined;
      const here = evidence.filter(({ phase, field, line }) => line === asked.line && !taken.has(`${phase} ${field}`));
      const named = (fields: typeof evidence) => fields.find(({ field }) => isNamed(field, asked.name ?? ""));
      const found = asked.name === null ? here[0] : (named(here) ?? named(evidence));
      if (found !== undefined && asked.kind !== "approval") {
        taken.add(`${found.phase} ${found.field}`);
        Object.assign(values.get(found.phase) ?? {}, { [found.field]: asked.good });
      }
      if (isOpen) continue;
      figures.asked += 1;
      const echoed = echoedAt(asked.line).filter(({ kind, field }) =>
        asked.kind === "approval" ? kind === "approval" : field === found?.field,
      );
      if (asked.kind === "approval" ? echoed.length > 0 : found !== undefined) figures.found += 1;
      else if (echoedAt(asked.line).some(({ kind }) => kind === "not read")) figures.notRead += 1;
      else fault("lost", `${asked.line}: ${asked.name ?? ""} ${asked.text}`);
      if (echoed.length !== 1) fault(`echoed ${echoed.length} times`, `${asked.line}: ${asked.text}`);
      if (asked.kind !== "checked" || found === undefined) continue;
      figures.checkable += 1;
      if (found.checked) figures.enforced += 1;
      else fault("only asked", `${asked.line}: ${asked.text}`);
    }
    for (const line of page.phases.flatMap(({ not_read }) => not_read))
      if (echoedAt(line).length !== 1) fault(`not read and echoed ${echoedAt(line).length} times`, `${line}`);
    const isSilent = ({ requirements }: Page["phases"][number] = { requirements: [], not_read: [] }) =>
      requirements.length === 0;
    const doubtful = new Set(page.phases.flatMap((phase) => [...(phase.doubtful ?? []), ...phase.not_read]));
    for (const { phase, field, line = 0, type } of evidence) {
      if (taken.has(`${phase} ${field}`)) continue;
      const isSummary = field === "summary" && isSilent(page.phases[phase - (read.phases[0]?.phase ?? 1)]);
      if (!isSummary && !all.some((asked) => asked.line === line) && !doubtful.has(line))
        fault("invented", `${line}: ${field}`);
      Object.assign(values.get(phase) ?? {}, { [field]: type === "boolean" ? true : "done, and looked at twice" });
    }
    for (const { line, kind } of echoes)
      if (kind === "approval" && !all.some((asked) => asked.line === line) && !doubtful.has(line))
        fault("invented approval", `${line}`);
    const window = await openWindow(project.root);
    const start = await callPhase(window, "start_workflow", { workflow_type: "page", target_file: "x" });
    if (start.isError) fault("does not start", start.text.slice(0, 200));
    else {
      figures.started += 1;
      let isDone = false;
      for (const { phase, evidence: fields } of read.phases) {
        const honest = values.get(phase) ?? {};
        const complete = (submitted: Record<string, unknown>) =>
          callPhase(window, "complete_phase", {
            session_id: start.session_id,
            phase,
            evidence: submitted,
            confirmation: "yes, I agree",
          });
        let isTaken = false;
        for (const { field, checked } of fields) {
          const asked = all.find((one) => one.kind === "checked" && one.name === field && one.bad !== undefined);
          if (asked === undefined || !checked || isTaken) continue;
          const reply = await complete({ ...honest, [field]: asked.bad });
          if (reply.checkpoint_passed === true || !(reply.missing_evidence ?? []).some((gap) => gap.startsWith(field)))
            fault("takes a bad value", `${asked.line}: ${field} = ${JSON.stringify(asked.bad)}`);
          isTaken = reply.checkpoint_passed === true;
        }
        const reply = isTaken ? undefined : await complete(honest);
        if (reply?.checkpoint_passed !== true) {
          fault(
            "refuses honest values",
            `phase ${phase}: ${(reply?.missing_evidence ?? [reply?.message]).join(" | ")}`,
          );
          break;
        }
        isDone = reply.workflow_complete === true;
      }
      if (isDone) figures.walked += 1;
    }
    await window.close();
    expect(faults.slice(before)).toEqual([]);
  },
);

test("of all that is asked at most one requirement in ten is only echoed as not read", () => {
  expect(figures.notRead * 10).toBeLessThanOrEqual(figures.asked);
});

/** A name in bold or backticks with or without its marks, and as a field. */
function isNamed(field: string, name: string): boolean {
  return (
    field === name ||
    field ===
      name
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.join("_")
  );
}

afterAll(() => {
  process.stdout.write(`${JSON.stringify(figures)}\n${faults.join("\n")}\n`);
});
