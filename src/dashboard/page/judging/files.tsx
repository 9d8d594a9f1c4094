import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { countText } from "../../../kit/count-text.ts";
import type { ShownFile } from "../../api/pages/page-data.ts";
import { compareLines, type DiffLine, type DiffPart, foldUnchanged } from "../../overview/difference.ts";
import { Badge, Section } from "../shared/frame.tsx";
import { UntrustedText } from "../shared/untrusted-text.tsx";

/** The number of lines drawn at first. */
const linesAtOnce = 400;

/** The submitted files, each with its changes to the existing text. */
export function Files({ files }: { readonly files: readonly ShownFile[] }): VNode | null {
  if (files.length === 0) return null;
  return (
    <Section title="Files" about={aboutFiles(files)}>
      {files.map((file) => (
        <File key={file.path} file={file} />
      ))}
    </Section>
  );
}

function aboutFiles(files: readonly ShownFile[]): string {
  const isNew = files.filter((file) => "text" in file && file.isNew).length;
  const lost = files.filter((file) => "problem" in file).length;
  const parts = [`${files.length} submitted`, ...(isNew > 0 ? [`${isNew} new`] : [])];
  return `${[...parts, ...(lost > 0 ? [`${lost} cannot be shown`] : [])].join(", ")}.`;
}

function File({ file }: { readonly file: ShownFile }): VNode {
  const lines = useMemo(() => ("text" in file ? compareLines(file.before, file.text) : []), [file]);
  const [isWhole, setWhole] = useState(false);
  if ("problem" in file)
    return (
      <div class="file">
        <h3>
          <UntrustedText text={file.path} most={300} /> <Badge tone="bad" text="cannot be shown" />
        </h3>
        <p>
          <UntrustedText text={file.problem} />
        </p>
      </div>
    );
  const isChanged = file.before !== undefined;
  return (
    <div class="file">
      <h3>
        <UntrustedText text={file.path} most={300} /> <Change isNew={file.isNew} isChanged={isChanged} lines={lines} />
        {isChanged ? (
          <button type="button" class="quiet-button" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? "Show changes" : "Show whole file"}
          </button>
        ) : null}
      </h3>
      <Lines shown={isChanged && !isWhole ? foldUnchanged(lines) : lines} />
    </div>
  );
}

function Change(given: {
  readonly isNew: boolean;
  readonly isChanged: boolean;
  readonly lines: readonly DiffLine[];
}): VNode {
  const { isNew, isChanged, lines } = given;
  if (isNew) return <Badge tone="good" text={`new, ${lineCount(lines.length)}`} />;
  if (!isChanged) return <Badge tone="plain" text={`unchanged, ${lineCount(lines.length)}`} />;
  const count = (kind: DiffLine["kind"]): number => lines.filter((line) => line.kind === kind).length;
  return <Badge tone="plain" text={`changed: ${lineCount(count("added"))} added, ${count("removed")} removed`} />;
}

function lineCount(lines: number): string {
  return countText(lines, "line");
}

function Lines({ shown }: { readonly shown: readonly DiffPart[] }): VNode {
  const [most, setMost] = useState(linesAtOnce);
  const [opened, setOpened] = useState<ReadonlySet<DiffPart>>(new Set());
  const drawn = shown.flatMap((one): readonly DiffPart[] =>
    one.kind === "folded" && opened.has(one) ? one.lines : [one],
  );
  if (drawn.length === 0) return <p class="quiet">The file is empty.</p>;
  return (
    <div class="lines-frame">
      {/* A table is what this is; a browser that reads it aloud says which line was added, and which removed. */}
      <table class="lines">
        <tbody>
          {drawn.slice(0, most).map((one, at) =>
            one.kind === "folded" ? (
              <tr key={at} class="fold">
                <td colSpan={2}>
                  <button type="button" onClick={() => setOpened(new Set([...opened, one]))}>
                    {one.lines.length} unchanged lines
                  </button>
                </td>
              </tr>
            ) : (
              <tr key={at} class={one.kind}>
                <td class="number">{one.after ?? one.before}</td>
                <td class="text">
                  {one.kind === "same" ? null : <Sign kind={one.kind} />}
                  <UntrustedText text={one.text} most={1000} />
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
      {drawn.length > most ? (
        <button type="button" class="more" onClick={() => setMost(drawn.length)}>
          {(drawn.length - most).toLocaleString("en")} more {drawn.length - most === 1 ? "line" : "lines"}
        </button>
      ) : null}
    </div>
  );
}

function Sign({ kind }: { readonly kind: "added" | "removed" }): VNode {
  return (
    <span class="line-sign">
      <span aria-hidden="true">{kind === "added" ? "+" : "−"}</span>
      <span class="aloud">{kind}: </span>
    </span>
  );
}
