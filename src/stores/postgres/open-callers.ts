import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";

/** The callers with open work in a stream: started and not completed. */
export function openCallers({ openSteps, independentSteps }: StreamSnapshot): ReadonlySet<string> {
  const independent = [...independentSteps.values()].flatMap(({ status, openedBy }) =>
    status === "started" ? openedBy : [],
  );
  return new Set([...[...openSteps].flatMap(([caller, steps]) => (steps.length === 0 ? [] : caller)), ...independent]);
}

/** The callers who gained or lost open work; undefined if nothing changed. */
export function changedCallers(
  before: StreamSnapshot,
  after: StreamSnapshot,
): { readonly came: readonly string[]; readonly went: readonly string[] } | undefined {
  const [earlier, later] = [openCallers(before), openCallers(after)];
  const came = [...later].filter((caller) => !earlier.has(caller));
  const went = [...earlier].filter((caller) => !later.has(caller));
  return came.length + went.length === 0 ? undefined : { came, went };
}
