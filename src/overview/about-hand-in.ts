import type { Mapped } from "../engine/standing.ts";
import type { StepState } from "../workflow/desk.ts";
import type { ContentRecord, StepRef } from "../workflow/events.ts";

/** What whoever judges a hand-in is told besides: what it is about, and what stands beside it on record. */
export type AboutHandIn = {
  /** What its author calls the step, and what its session is about, where they say so. */
  readonly title?: string;
  readonly target?: string;
  /** The files of the other completed steps of its workflow that are not of this hand-in: a yes does not speak of them. */
  readonly earlier: readonly EarlierFile[];
};

/** A file that another step of the same workflow put on record. */
export type EarlierFile = Pick<ContentRecord, "path" | "bytes" | "sha256"> & { readonly step: string };

/** Tells of a hand-in what its run says of it. */
export function aboutHandIn({ desk, plan }: Pick<Mapped, "desk" | "plan">, { workflow, step }: StepRef): AboutHandIn {
  const steps = plan.workflows.find(({ name }) => name === workflow)?.steps ?? [];
  const title = steps.find(({ name }) => name === step)?.title;
  const target = desk.session?.target ?? undefined;
  return {
    ...(title === undefined ? {} : { title }),
    ...(target === undefined ? {} : { target }),
    earlier: earlierFiles(desk.runs.get(workflow)?.steps ?? new Map(), step),
  };
}

/** Each path once, as it was handed in last. */
function earlierFiles(steps: ReadonlyMap<string, StepState>, own: string): readonly EarlierFile[] {
  const isOwn = new Set(steps.get(own)?.handed.content?.map(({ path }) => path));
  const found = [...steps]
    .flatMap(([step, { status, handed, completion }]) =>
      step !== own && status === "completed" ? [{ step, content: handed.content ?? [], at: completion?.at ?? "" }] : [],
    )
    .sort((one, other) => (one.at < other.at ? -1 : 1))
    .flatMap(({ step, content }) => content.map(({ path, bytes, sha256 }) => ({ step, path, bytes, sha256 })));
  return [...new Map(found.map((file) => [file.path, file])).values()].filter(({ path }) => !isOwn.has(path));
}
