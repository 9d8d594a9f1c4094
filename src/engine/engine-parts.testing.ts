import type { EngineParts } from "./engine.ts";
import type { ContentKeeper, History } from "./ports.ts";

/** An engine's parts over one history: a bot of two steps that need nobody's word. */
export function partsWith(history: History, content: ContentKeeper): EngineParts {
  const plan = {
    name: "bot",
    workflows: [{ name: "shape", steps: ["one", "two"].map((name) => ({ name, auto: true })) }],
    independent: [],
    ordered: false,
  };
  return {
    definitions: {
      plan: () => ({ plan, settings: { externalEdits: "obey", strict: true }, warnings: [] }),
      present: ({ step }) => ({ text: `content of ${step}`, warnings: [] }),
      checksRules: () => false,
      rules: () => ({ rules: [], warnings: [] }),
      keepsCorrections: () => false,
      readCorrection: () => undefined,
      keepCorrection: () => ({ refused: "" }),
    },
    history,
    content,
    checkRules: async () => [],
    observe: async () => new Map(),
    clock: () => new Date("2026-01-01T00:00:00Z"),
  };
}
