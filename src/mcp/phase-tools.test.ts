import { expect, it } from "vitest";
import type { EventLog } from "../engine/ports/event-log.ts";
import { openSessions } from "../engine/sessions.ts";
import { memoryStore } from "../stores/memory/memory-store.ts";
import { callPhaseTool } from "./phase-calls.ts";
import { listPhaseTools } from "./phase-tools.ts";

const nothing = { workflows: async () => [], hasAny: async () => false };

it("where no workflow is left, the tools stay for the open sessions", async () => {
  const tools = await listPhaseTools({ ...nothing, hasAny: async () => true });
  expect(tools.map(({ name }) => name)).toEqual([
    "start_workflow",
    "get_phase_content",
    "complete_phase",
    "get_workflow_state",
  ]);
  expect(tools[0]?.description).toContain("get_workflow_state lists the sessions");
});

it("without workflow and session there are none", async () => {
  expect(await listPhaseTools(nothing)).toEqual([]);
});

it("a session whose history cannot be read is not found, and the reply says why", async () => {
  const { log, views, content } = memoryStore();
  const damaged: EventLog = {
    ...log,
    streams: async () => [{ kind: "session", name: "s" }],
    has: async () => true,
    load: async (id) => ({ ...(await log.load(id)), warnings: ["damaged"] }),
  };
  const parts = {
    log: damaged,
    views,
    content,
    checkRules: async () => [],
    observe: async () => new Map(),
    clock: () => new Date(),
  };
  const sessions = openSessions({
    runHere: async () => undefined,
    depsFor: async () => parts,
    definitions: {
      list: async () => [],
      read: async () => ({ unknown: true }),
      pin: async () => undefined,
      forSession: () => ({
        plan: async () => {
          throw new Error("there is nothing to walk");
        },
        present: async () => undefined,
      }),
    },
    projectArea: "/project",
  });
  const call = await callPhaseTool(
    sessions,
    "get_workflow_state",
    { session_id: "s" },
    { id: "one" },
    { form: "whole", seesFiles: true },
  );
  expect(call).toMatchObject({
    result: {
      isError: true,
      structuredContent: { error: "session_not_found", warnings: ["damaged", expect.stringMatching(/cannot be read/)] },
    },
  });
});
