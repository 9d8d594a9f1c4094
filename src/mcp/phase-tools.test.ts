import { expect, it } from "vitest";
import { sessionDefinitions } from "../definitions/session-definitions.ts";
import type { EventLog } from "../engine/ports/event-log.ts";
import { openSessions } from "../engine/sessions.ts";
import { memoryStore } from "../stores/memory/memory-store.ts";
import { usedRunsInMemory } from "./find-run.ts";
import { getWorkflowState } from "./phase-tools.ts";
import { listTools } from "./registry.ts";

const noStandards = async () => {
  throw new Error("there is nothing to search");
};
const nothing = {
  bots: async () => ({ bots: [], guests: [], problems: [] }),
  sessions: { workflows: async () => [], hasAny: async () => false },
  standards: {
    isThere: async () => false,
    search: noStandards,
    fitting: noStandards,
    ready: noStandards,
    close: noStandards,
  },
};

it("where no workflow is left, the tools stay for the open sessions", async () => {
  const tools = await listTools({ ...nothing, sessions: { ...nothing.sessions, hasAny: async () => true } });
  expect(tools.map(({ name }) => name)).toEqual([
    "start_workflow",
    "get_phase_content",
    "complete_phase",
    "get_workflow_state",
  ]);
  expect(tools[0]?.description).toContain("get_workflow_state lists the sessions");
});

it("without workflow and session there are none", async () => {
  expect(await listTools(nothing)).toEqual([]);
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
      pinned: async () => undefined,
      forSession: () =>
        sessionDefinitions({
          read: async () => ({ unknown: true }),
          pinned: async () => undefined,
          pin: async () => undefined,
          beginning: undefined,
        }),
    },
    projectArea: "/project",
  });
  const noBot = async () => {
    throw new Error("there is no bot");
  };
  const call = await getWorkflowState.handle({
    workplace: { ...nothing, sessions, engine: noBot, runHere: noBot },
    caller: { id: "one" },
    given: { session_id: "s" },
    form: "whole",
    seesFiles: true,
    uses: usedRunsInMemory(),
    unnamed: new Map(),
  });
  expect(call).toMatchObject({
    result: {
      isError: true,
      structuredContent: { error: "session_not_found", warnings: ["damaged", expect.stringMatching(/cannot be read/)] },
    },
  });
});
