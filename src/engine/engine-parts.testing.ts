import type { Plan } from "../workflow/workflow.ts";
import type { DeskParts } from "./desk-parts.ts";

const plan: Plan = {
  name: "bot",
  manner: {
    completing: "leaves the next",
    ahead: "names",
    view: "obeyed",
    definition: "live",
    unrecorded: "held",
    resuming: "asks",
    outOfTurn: "action_sequence_violation",
  },
  workflows: [{ name: "shape", steps: ["one", "two"].map((name) => ({ name, auto: true })) }],
  independent: [],
  ordered: false,
};

/** An engine's parts over one store: a bot of two steps that need nobody's word. */
export function partsWith({ log, views, content }: Pick<DeskParts, "log" | "views" | "content">): DeskParts {
  return {
    id: { kind: "bot", name: "bot" },
    definitions: {
      plan: async () => ({ plan, settings: { externalEdits: "obey", strict: true }, notices: [] }),
      present: async (_desk, { step }) => ({ text: `content of ${step}`, warnings: [] }),
    },
    log,
    views,
    content,
    checkRules: async () => [],
    observe: async () => new Map(),
    clock: () => new Date("2026-01-01T00:00:00Z"),
  };
}
