import { join } from "node:path";
import type { People } from "../engine/engine-deps.ts";
import type { CheckRules, ObserveEvidence, WorkTree } from "../engine/ports/checks.ts";
import type { PinStore } from "../engine/ports/pins.ts";
import { once } from "../kit/once.ts";
import { stateFolder } from "../stores/file/trust/machine-state.ts";

/** Pins that are located at first use. */
export function lazyPins(open: () => Promise<PinStore>): PinStore {
  const pins = once(open);
  return {
    keep: async (text) => (await pins()).keep(text),
    find: async (pin) => (await pins()).find(pin),
    async inspect(pin) {
      const opened = await pins();
      if (opened.inspect !== undefined) return opened.inspect(pin);
      return { verdict: (await opened.find(pin)) === undefined ? "gone" : "whole", place: pin };
    },
  };
}

/** Loads the rule checker at first use, so that listing tools does not pay for it. */
export const lazyCheckRules: CheckRules = async (rules, files) => {
  const { checkRules } = await import("../checks/rules/check-rules.ts");
  return checkRules(rules, files);
};

/** Loads the prover of statements at first use. */
export function lazyPeople(definitions: string, areas: readonly string[]): People {
  return {
    async findSigner(signed) {
      const { findSigner: proverOf } = await import("./list-approvers.ts");
      return proverOf({ definitions, areas }, signed);
    },
  };
}

/** Loads evidence observation at first use; for a remote caller only submitted files exist. */
export function lazyObserve(projectArea: string | undefined, isRemote: boolean): ObserveEvidence {
  return async (gate, evidence, submitted) => {
    const { observeEvidence } = await import("../checks/evidence/observe-evidence.ts");
    return observeEvidence({ projectArea, submitted, isRemote }, gate, evidence);
  };
}

/** Loads the work tree's change detection at first use. */
export function lazyWorkTree(area: string): WorkTree {
  const open = async (): Promise<WorkTree> => {
    const { workTree } = await import("../checks/git/work-tree-changes.ts");
    return workTree(area, join(stateFolder(), "trees"));
  };
  return {
    head: async () => (await open()).head(),
    mark: async (...asked) => (await open()).mark(...asked),
    changedOutside: async (...asked) => (await open()).changedOutside(...asked),
  };
}

/** Loads the check that git has a history as it is, at first use. */
export async function isFileInGit(area: string, path: string): Promise<boolean> {
  const { isAsCommitted } = await import("../checks/git/as-committed.ts");
  return isAsCommitted(area, path);
}
