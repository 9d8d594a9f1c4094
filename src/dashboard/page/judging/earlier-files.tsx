import type { VNode } from "preact";
import type { ShownEarlier } from "../../api/pages/page-data.ts";
import { Section } from "../shared/frame.tsx";
import { UntrustedLine } from "../shared/untrusted-text.tsx";

/** The files recorded by earlier steps, which this approval does not cover. */
export function EarlierFiles({
  files,
  stepLink,
}: {
  readonly files: readonly ShownEarlier[];
  readonly stepLink: ((step: string) => string) | undefined;
}): VNode | null {
  if (files.length === 0) return null;
  return (
    <Section title="Recorded earlier" about="From earlier steps; not part of this approval.">
      <ul class="files-list">
        {files.map(({ step, path, bytes, sha256 }) => (
          <li key={path}>
            <code>
              <UntrustedLine text={path} most={120} />
            </code>
            <span class="quiet small">
              {bytes.toLocaleString("en")} B · {sha256.slice(0, 7)} · at{" "}
              {stepLink === undefined ? (
                <UntrustedLine text={earlierStepName(step)} most={60} />
              ) : (
                <a href={stepLink(step)}>
                  <UntrustedLine text={earlierStepName(step)} most={60} />
                </a>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function earlierStepName(step: string): string {
  return /^\d+$/.test(step) ? `phase ${step}` : step;
}
