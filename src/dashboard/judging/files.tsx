import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { ShownFile } from "../../http/pages/page-data.ts";
import { folded, type Line, linesOf, type Shown } from "../../overview/difference.ts";
import { Badge, Part } from "../shared/frame.tsx";
import { OutsideText } from "../shared/outside-text.tsx";

/** So many lines are drawn at once; the others when somebody wants them. */
const atOnce = 400;

/** The files that are handed in, each with what it changes of the text that stands in its place. */
export function Files({ files }: { readonly files: readonly ShownFile[] }): VNode | null {
  if (files.length === 0) return null;
  return (
    <Part title="Files" about={aboutFiles(files)}>
      {files.map((file) => (
        <File key={file.path} file={file} />
      ))}
    </Part>
  );
}

function aboutFiles(files: readonly ShownFile[]): string {
  const isNew = files.filter((file) => "text" in file && file.isNew).length;
  const lost = files.filter((file) => "problem" in file).length;
  const parts = [`${files.length} handed in`, ...(isNew > 0 ? [`${isNew} new`] : [])];
  return `${[...parts, ...(lost > 0 ? [`${lost} cannot be shown`] : [])].join(", ")}.`;
}

function File({ file }: { readonly file: ShownFile }): VNode {
  const lines = useMemo(() => ("text" in file ? linesOf(file.before, file.text) : []), [file]);
  const [isWhole, setWhole] = useState(false);
  if ("problem" in file)
    return (
      <div class="file">
        <h3>
          <OutsideText text={file.path} most={300} /> <Badge tone="bad" text="cannot be shown" />
        </h3>
        <p>
          <OutsideText text={file.problem} />
        </p>
      </div>
    );
  const isChanged = file.before !== undefined;
  return (
    <div class="file">
      <h3>
        <OutsideText text={file.path} most={300} /> <Change isNew={file.isNew} isChanged={isChanged} lines={lines} />
        {isChanged ? (
          <button type="button" class="quiet-button" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? "Only what changes" : "The whole file"}
          </button>
        ) : null}
      </h3>
      <Lines shown={isChanged && !isWhole ? folded(lines) : lines} />
    </div>
  );
}

function Change(given: {
  readonly isNew: boolean;
  readonly isChanged: boolean;
  readonly lines: readonly Line[];
}): VNode {
  const { isNew, isChanged, lines } = given;
  if (isNew) return <Badge tone="good" text={`new, ${countOf(lines.length)}`} />;
  if (!isChanged) return <Badge tone="plain" text={`stands there as it is, ${countOf(lines.length)}`} />;
  const count = (kind: Line["kind"]): number => lines.filter((line) => line.kind === kind).length;
  return <Badge tone="plain" text={`changed: ${countOf(count("added"))} added, ${count("removed")} removed`} />;
}

function countOf(lines: number): string {
  return `${lines} ${lines === 1 ? "line" : "lines"}`;
}

function Lines({ shown }: { readonly shown: readonly Shown[] }): VNode {
  const [most, setMost] = useState(atOnce);
  const [opened, setOpened] = useState<ReadonlySet<Shown>>(new Set());
  const drawn = shown.flatMap((one): readonly Shown[] =>
    one.kind === "folded" && opened.has(one) ? one.lines : [one],
  );
  if (drawn.length === 0) return <p class="quiet">It is empty.</p>;
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
                    {one.lines.length} lines that stay as they are
                  </button>
                </td>
              </tr>
            ) : (
              <tr key={at} class={one.kind}>
                <td class="number">{one.after ?? one.before}</td>
                <td class="text">
                  {one.kind === "same" ? null : <Sign kind={one.kind} />}
                  <OutsideText text={one.text} most={1000} />
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
