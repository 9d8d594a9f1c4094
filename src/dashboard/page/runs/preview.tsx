import type { VNode } from "preact";
import type { RunData } from "../../api/board-data.ts";
import { EvidenceBar } from "../inbox/evidence-bar.tsx";
import { useResource } from "../live/use-resource.ts";
import { UntrustedLine, UntrustedText } from "../shared/untrusted-text.tsx";

/** The run whose row has the focus, in short: `j` and `k` go through the runs without opening them. */
export function Preview({ runKey }: { readonly runKey: string }): VNode {
  const { answer } = useResource<RunData>(
    `runs/${encodeURIComponent(runKey)}`,
    (event) => event.type === "run" && event.row.key === runKey,
  );
  return (
    <aside class="preview" aria-label="Preview" aria-live="polite">
      {answer === undefined ? (
        <p class="quiet">Loading…</p>
      ) : "no" in answer ? (
        <p>{answer.no}</p>
      ) : (
        <>
          <p>
            <strong>
              <UntrustedLine text={answer.data.row.title} most={80} />
            </strong>{" "}
            <UntrustedText text={answer.data.sentence} most={400} />
          </p>
          <p class="small quiet">
            <EvidenceBar looked={answer.data.row.evidence} /> · Enter opens it
          </p>
        </>
      )}
    </aside>
  );
}
