import type { Plan } from "../workflow/workflow.ts";
import type { EngineDeps } from "./engine-deps.ts";

const plan: Plan = {
  name: "bot",
  policy: {
    onComplete: "leaves the next",
    aheadVisible: "names",
    onViewEdit: "obeyed",
    definition: "live",
    onUnrecorded: "held",
    onResume: "asks",
    outOfTurnCode: "action_sequence_violation",
  },
  workflows: [{ name: "shape", steps: ["one", "two"].map((name) => ({ name, auto: true })) }],
  independent: [],
  ordered: false,
};

/** Engine parts over one store: a bot with two steps that need no approval. */
export function engineDepsWith({ log, views, content }: Pick<EngineDeps, "log" | "views" | "content">): EngineDeps {
  return {
    id: { kind: "bot", name: "bot" },
    definitions: {
      plan: async () => ({ plan, settings: { externalEdits: "obey", strict: true }, notices: [] }),
      present: async (_stream, { step }) => ({ text: `content of ${step}`, warnings: [] }),
    },
    log,
    views,
    content,
    checkRules: async () => [],
    observe: async () => new Map(),
    clock: () => new Date("2026-01-01T00:00:00Z"),
  };
}
