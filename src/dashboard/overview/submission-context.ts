import type { StreamOverview } from "../../engine/run-status.ts";
import { defined } from "../../kit/defined.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";
import type { StepState } from "../../workflow/stream-snapshot.ts";
import { countEvidence } from "./evidence.ts";
import type { EvidenceCounts } from "./evidence-text.ts";

/** Context for a person who reviews a submission. */
export type SubmissionContext = {
  /** The author's title of the step, and the target of its session. */
  readonly title?: string;
  readonly target?: string;
  /** The evidence of other completed steps of its workflow, and their files; an approval does not cover them. */
  readonly earlierSteps: readonly EarlierStep[];
  readonly earlier: readonly EarlierFile[];
};

/** The evidence of another step of the same workflow. */
export type EarlierStep = { readonly step: string; readonly title?: string; readonly evidence: EvidenceCounts };

/** A file that another step of the same workflow put on record. */
export type EarlierFile = Pick<ContentRecord, "path" | "bytes" | "sha256"> & { readonly step: string };

/** Collects the context of a submission from its run. */
export function submissionContext(
  { stream, plan }: Pick<StreamOverview, "stream" | "plan">,
  { workflow, step }: StepRef,
): SubmissionContext {
  const steps = plan.workflows.find(({ name }) => name === workflow)?.steps ?? [];
  const title = steps.find(({ name }) => name === step)?.title;
  const target = stream.session?.target ?? undefined;
  return {
    ...defined({ title, target }),
    earlierSteps: steps.flatMap(({ name, title: other }) => {
      const state = stream.runs.get(workflow)?.steps.get(name);
      if (name === step || state?.status !== "completed") return [];
      return [{ step: name, ...defined({ title: other }), evidence: countEvidence(state) }];
    }),
    earlier: earlierFiles(stream.runs.get(workflow)?.steps ?? new Map(), step),
  };
}

/** Each path once, as last submitted. */
function earlierFiles(steps: ReadonlyMap<string, StepState>, own: string): readonly EarlierFile[] {
  const isOwn = new Set(steps.get(own)?.submitted.content?.map(({ path }) => path));
  const found = [...steps]
    .flatMap(([step, { status, submitted, completion }]) =>
      step !== own && status === "completed"
        ? [{ step, content: submitted.content ?? [], at: completion?.at ?? "" }]
        : [],
    )
    .sort((one, other) => (one.at < other.at ? -1 : 1))
    .flatMap(({ step, content }) => content.map(({ path, bytes, sha256 }) => ({ step, path, bytes, sha256 })));
  return [...new Map(found.map((file) => [file.path, file])).values()].filter(({ path }) => !isOwn.has(path));
}
