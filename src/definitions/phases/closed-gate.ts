import type { Gate } from "../../workflow/gate.ts";

/** A gate that nothing opens. */
export function closedGate(file: string, message: string): Gate {
  return {
    requirements: [],
    comparisons: [],
    examples: {},
    rulesHold: false,
    approval: false,
    closed: { file, message },
  };
}
