import { join } from "node:path";
import type { OpenedWorkplace } from "./compose.ts";
import { nameOf } from "./evidence/check-verdict.ts";
import type { BoardProject } from "./http/board/ports.ts";
import { openMachine } from "./stores/file/belief/machine.ts";
import { sealedFile } from "./stores/file/belief/sealed-file.ts";

/** The same for the dashboard: a workplace as the board reads it. */
export function boardProject(workplace: OpenedWorkplace, root: string): BoardProject {
  const { definitions } = workplace;
  let finding: { readonly at: number; readonly findings: ReturnType<BoardProject["findings"]> } | undefined;
  return {
    ...workplace,
    async candidates() {
      const { listApprovers } = await import("./compose-people.ts");
      const areas = (await workplace.logs()).map(({ area }) => area);
      const listed = await listApprovers({ definitions, areas: [root, ...areas] });
      return "problem" in listed ? [] : listed;
    },
    async approvers() {
      const { readApprovers } = await import("./people/approvers-file.ts");
      return readApprovers(definitions);
    },
    async enrol(approver) {
      const { addApprover } = await import("./people/approvers-file.ts");
      return addApprover(definitions, approver);
    },
    findings() {
      if (finding === undefined || Date.now() - finding.at > believedFor)
        finding = { at: Date.now(), findings: findingsIn(root, definitions) };
      return finding.findings;
    },
  };
}

/** What was found is believed for so long, in milliseconds: reading every definition takes a while. */
const believedFor = 3000;

async function findingsIn(root: string, definitions: string): ReturnType<BoardProject["findings"]> {
  const { checkDefinitions, engineSurroundings, rankFindings, readInside } = await import("./compose-check.ts");
  const surroundings = await engineSurroundings(root, definitions);
  const ranked = readInside(definitions, () => rankFindings(checkDefinitions(definitions, surroundings)));
  return ranked.slice(0, mostFindings).map(({ severity, file, line, message, fix }) => ({
    ...{ severity, file, line, message, fix },
  }));
}

const mostFindings = 500;

/** What is remembered of the dashboard of a project, outside of it and under this machine's seal; nothing where no such place is. */
export function dashboardMemory(
  place: string,
  areas: readonly string[],
): { read(): Promise<string | undefined>; write(text: string): Promise<void> } {
  const machine = openMachine();
  if (areas.every(machine.isOutside)) return sealedFile(join("dashboards", nameOf(place)), machine);
  return { read: async () => undefined, write: async () => undefined };
}
