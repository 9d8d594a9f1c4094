import type { VNode } from "preact";
import type { ShownEarlier } from "../../http/pages/page-data.ts";
import { Part } from "../shared/frame.tsx";
import { OutsideLine } from "../shared/outside-text.tsx";

/** What earlier steps put on record: named, so that whoever judges can look there too, and kept apart from what a yes covers. */
export function Earlier({
  files,
  stepLink,
}: {
  readonly files: readonly ShownEarlier[];
  readonly stepLink: ((step: string) => string) | undefined;
}): VNode | null {
  if (files.length === 0) return null;
  return (
    <Part title="On record before" about="Of earlier steps; not part of this yes.">
      <ul class="files-list">
        {files.map(({ step, path, bytes, sha256 }) => (
          <li key={path}>
            <code>
              <OutsideLine text={path} most={120} />
            </code>
            <span class="quiet small">
              {bytes.toLocaleString("en")} B · {sha256.slice(0, 7)} · at{" "}
              {stepLink === undefined ? (
                <OutsideLine text={nameOf(step)} most={60} />
              ) : (
                <a href={stepLink(step)}>
                  <OutsideLine text={nameOf(step)} most={60} />
                </a>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function nameOf(step: string): string {
  return /^\d+$/.test(step) ? `phase ${step}` : step;
}
