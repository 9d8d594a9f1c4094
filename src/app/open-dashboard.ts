import { join } from "node:path";
import type { BoardProject } from "../dashboard/api/ports.ts";
import { canonicalText } from "../gates/check-verdict.ts";
import { openMachineState } from "../stores/file/trust/machine-state.ts";
import { sealedFile } from "../stores/file/trust/sealed-file.ts";
import type { SeenRunner } from "./list-runners.ts";
import type { TeamProject } from "./open-team-server.ts";
import type { OpenedWorkplace } from "./open-workplace.ts";

/** A workplace as the dashboard reads it. */
export function boardProject(
  workplace: OpenedWorkplace & Partial<Pick<TeamProject, "dispatch">>,
  root: string,
): BoardProject {
  const { definitions } = workplace;
  let listing: { readonly at: number; readonly runners: Promise<readonly SeenRunner[]> } | undefined;
  let finding: { readonly at: number; readonly findings: ReturnType<BoardProject["findings"]> } | undefined;
  return {
    ...workplace,
    async candidates() {
      const { listApprovers } = await import("./list-approvers.ts");
      const areas = (await workplace.logs()).map(({ area }) => area);
      const listed = await listApprovers({ definitions, areas: [root, ...areas] });
      return "problem" in listed ? [] : listed;
    },
    async runners() {
      const { readRunners } = await import("../people/runners-file.ts");
      return readRunners(definitions);
    },
    listRunners() {
      if (listing === undefined || Date.now() - listing.at > findingsCacheMs)
        listing = { at: Date.now(), runners: runnersSeen(workplace, root) };
      return listing.runners;
    },
    async approvers() {
      const { readApprovers } = await import("../people/approvers-file.ts");
      return readApprovers(definitions);
    },
    async enrol(approver) {
      const { addApprover } = await import("../people/approvers-file.ts");
      return addApprover(definitions, approver);
    },
    findings() {
      if (finding === undefined || Date.now() - finding.at > findingsCacheMs)
        finding = { at: Date.now(), findings: findingsIn(root, definitions) };
      return finding.findings;
    },
  };
}

/** Findings are cached for this many milliseconds, because reading every definition takes a while. */
const findingsCacheMs = 3000;

async function runnersSeen(
  { definitions, dispatch }: Parameters<typeof boardProject>[0],
  root: string,
): Promise<readonly SeenRunner[]> {
  const { seenRunners } = await import("./list-runners.ts");
  return seenRunners({ definitions, areas: [root] }, async () => (await dispatch?.sightings.list("runner")) ?? []);
}

async function findingsIn(root: string, definitions: string): ReturnType<BoardProject["findings"]> {
  const { checkDefinitions, engineSurroundings, rankFindings, readSnapshot } = await import("./check-project.ts");
  const snapshot = await readSnapshot(definitions);
  const ranked = rankFindings(checkDefinitions(snapshot, await engineSurroundings(snapshot, root)));
  return ranked.slice(0, maxFindings).map(({ severity, file, line, message, fix }) => ({
    ...{ severity, file, line, message, fix },
  }));
}

const maxFindings = 500;

/** The memory of a project's dashboard, outside the project and sealed by this machine; none if there is no such place. */
export function dashboardMemory(
  place: string,
  areas: readonly string[],
): { read(): Promise<string | undefined>; write(text: string): Promise<void> } {
  const machine = openMachineState();
  if (areas.every(machine.isOutside)) return sealedFile(join("dashboards", canonicalText(place)), machine);
  return { read: async () => undefined, write: async () => undefined };
}
