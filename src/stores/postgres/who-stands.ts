import type { Desk } from "../../workflow/desk.ts";

/** Whoever stands at something of a desk: opened it, and has not completed it. */
export function whoStands({ standings, asides }: Desk): ReadonlySet<string> {
  const aside = [...asides.values()].flatMap(({ status, openedBy }) => (status === "started" ? openedBy : []));
  return new Set([...[...standings].flatMap(([caller, steps]) => (steps.length === 0 ? [] : caller)), ...aside]);
}

/** Who has come to stand at a desk, and who no longer does; undefined where nothing has changed. */
export function whoMoved(
  before: Desk,
  after: Desk,
): { readonly came: readonly string[]; readonly went: readonly string[] } | undefined {
  const [earlier, later] = [whoStands(before), whoStands(after)];
  const came = [...later].filter((caller) => !earlier.has(caller));
  const went = [...earlier].filter((caller) => !later.has(caller));
  return came.length + went.length === 0 ? undefined : { came, went };
}
