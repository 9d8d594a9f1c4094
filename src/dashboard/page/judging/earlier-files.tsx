import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { RecordedFile } from "../../api/board-data.ts";
import type { ShownEarlier } from "../../api/pages/page-data.ts";
import type { Answer } from "../api-client.ts";
import { Button } from "../shared/button.tsx";
import { Section } from "../shared/frame.tsx";
import { UntrustedLine } from "../shared/untrusted-text.tsx";
import { File } from "./files.tsx";

/** The files recorded by earlier steps, which this approval does not cover. */
export function EarlierFiles({
  files,
  stepLink,
  readFile,
}: {
  readonly files: readonly ShownEarlier[];
  readonly stepLink: ((step: string) => string) | undefined;
  readonly readFile: ReadFile | undefined;
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
            {readFile === undefined ? null : <OpenedFile path={path} sha256={sha256} readFile={readFile} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Reads a recorded file by its path and hash. */
export type ReadFile = (path: string, sha256: string) => Promise<Answer<RecordedFile>>;

/** A button that opens a recorded file below it. */
function OpenedFile(given: { readonly path: string; readonly sha256: string; readonly readFile: ReadFile }): VNode {
  const { path, sha256, readFile } = given;
  const [file, setFile] = useState<RecordedFile>();
  const open = async (): Promise<void> => {
    const answered = await readFile(path, sha256);
    setFile("data" in answered ? answered.data : { path, problem: answered.no });
  };
  return (
    <>
      <Button
        kind="quiet"
        aria-expanded={file !== undefined}
        aria-label={`${file === undefined ? "Open" : "Close"} ${path}`}
        onClick={() => (file === undefined ? void open() : setFile(undefined))}
      >
        {file === undefined ? "Open" : "Close"}
      </Button>
      {file === undefined ? null : (
        <div class="opened-file">
          <File file={"text" in file ? { ...file, isNew: false } : file} comments={undefined} />
        </div>
      )}
    </>
  );
}

function earlierStepName(step: string): string {
  return /^\d+$/.test(step) ? `phase ${step}` : step;
}
