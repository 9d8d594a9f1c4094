import type { DeskId } from "../engine/ports.ts";
import type { Desk } from "../workflow/desk.ts";
import type { ContentRecord, HandedIn, StepRef } from "../workflow/events.ts";
import type { Outcome } from "../workflow/outcome.ts";

/** What stays handed in of an attempt that is not completed: outputs by name, files by path. */
export type Kept = {
  readonly outputs: readonly string[];
  readonly content: readonly { readonly path: string; readonly bytes: number }[];
};

/** What an answer that does not complete says is kept; nothing where the outcome is no such answer. */
export function keptOf(id: DeskId, outcome: Outcome, desk: Desk): Kept | undefined {
  if (outcome.kind === "awaiting") return kept(id, outcome.ref, outcome.handed);
  if (outcome.kind !== "refused") return undefined;
  const { current } = outcome;
  const state = current === null ? undefined : desk.runs.get(current.workflow)?.steps.get(current.step);
  const handed = outcome.kept ?? (state?.status === "started" ? state.handed : {});
  return kept(id, current, handed);
}

function kept(id: DeskId, ref: StepRef | null, { outputs = {}, content = [] }: HandedIn): Kept {
  const given = ref === null ? content : content.filter((record) => !isReadableRecord(id, ref, record));
  return { outputs: Object.keys(outputs), content: given.map(({ path, bytes }) => ({ path, bytes })) };
}

/** Our own readable file of the outputs is nothing that a caller handed in. */
function isReadableRecord({ name }: DeskId, { workflow, step }: StepRef, { path }: ContentRecord): boolean {
  const [folder, file] = [[name, workflow].map(plainName).join("/"), plainName(step)];
  return (
    path.startsWith(`${folder}/${file}`) &&
    /^(-pass\d+)?(-attempt\d+)?\.md$/.test(path.slice(folder.length + file.length + 1))
  );
}

function plainName(name: string): string {
  return name.replace(/[^\w-]/g, "_");
}
