import { expect, it } from "vitest";
import { createPhasedEngine } from "../engine/phased/phased-engine.ts";
import { memoryContentKeeper } from "../stores/memory-content.ts";
import { memoryPins, memorySessions } from "../stores/memory-sessions.ts";
import { emptyDesk } from "../workflow/desk.ts";
import { callPhaseTool } from "./phase-calls.ts";
import { listAnswer } from "./phase-reply.ts";
import { listPhaseTools } from "./phase-tools.ts";

const noWorkflow = { workflows: () => [] };

it("where no workflow is left, the tools stay for the sessions under way", async () => {
  const tools = await listPhaseTools({ ...noWorkflow, ids: async () => ["survey-1"] });
  expect(tools.map(({ name }) => name)).toEqual([
    "start_workflow",
    "get_phase_content",
    "complete_phase",
    "get_workflow_state",
  ]);
  expect(tools[0]?.description).toContain("get_workflow_state lists the sessions under way");
});

it("without workflow and session there are none", async () => {
  expect(await listPhaseTools({ ...noWorkflow, ids: async () => [] })).toEqual([]);
});

it("the list of sessions says what was found out about any of them", () => {
  expect(listAnswer([], ["forged"]).warnings).toEqual(["forged"]);
});

it("a session whose history cannot be read is not there, and why is said", async () => {
  const look = async () => ({ seen: 0, desk: emptyDesk, warnings: ["damaged"] });
  const open = (id: string) => ({ ...memorySessions().open(id), look });
  const engine = createPhasedEngine({
    definitions: async () => ({ isQuiet: async () => false, read: () => ({ unknown: true }) }),
    workflows: () => [],
    projectArea: "/project",
    store: { ids: async () => ["s"], has: async (id) => id === "s", open },
    pins: memoryPins(),
    content: memoryContentKeeper(),
    observe: async () => new Map(),
    clock: () => new Date(),
  });
  const connection = { id: "one", unanswered: new Set<string>() };
  const call = await callPhaseTool(engine, "get_workflow_state", { session_id: "s" }, connection, undefined);
  expect(call).toMatchObject({
    result: {
      isError: true,
      structuredContent: { error: "session_not_found", warnings: ["damaged", expect.stringMatching(/cannot be read/)] },
    },
  });
});
