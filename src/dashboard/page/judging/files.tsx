import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { countText } from "../../../kit/count-text.ts";
import type { ShownFile } from "../../api/pages/page-data.ts";
import { compareLines, type DiffLine, type DiffPart, foldUnchanged } from "../../overview/difference.ts";
import { Button } from "../shared/button.tsx";
import { Badge, Section } from "../shared/frame.tsx";
import { UntrustedText, UntrustedValue } from "../shared/untrusted-text.tsx";
import { type LineComments, LineNotes, LineNumber } from "./line-comments.tsx";
import { Markdown, useMarkdown } from "./markdown.tsx";

/** The number of lines drawn at first. */
const linesAtOnce = 400;

/** The submitted files: rendered, as lines, or with their changes to the existing text. */
export function Files({
  files,
  comments,
}: {
  readonly files: readonly ShownFile[];
  readonly comments: LineComments | undefined;
}): VNode | null {
  if (files.length === 0) return null;
  return (
    <Section title="Files" about={aboutFiles(files)}>
      {files.map((file) => (
        <File key={file.path} file={file} comments={comments} />
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

type FileView = "rendered" | "changes" | "lines";

const viewNames: Readonly<Record<FileView, string>> = { rendered: "Rendered", changes: "Changes", lines: "Lines" };

type Given = { readonly comments: LineComments | undefined };

/** One file: rendered, as lines, or with its changes. */
export function File({ file, comments }: { readonly file: ShownFile } & Given): VNode {
  if ("text" in file) return <ReadableFile file={file} comments={comments} />;
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
}

function ReadableFile({
  file,
  comments,
}: { readonly file: Extract<ShownFile, { readonly text: string }> } & Given): VNode {
  const { path, text, before } = file;
  const lines = useMemo(() => compareLines(before, text), [before, text]);
  const rendered = useRendered(path, text);
  const isChanged = before !== undefined;
  const views: readonly FileView[] = [
    ...(isChanged ? (["changes"] as const) : []),
    ...(rendered === undefined ? [] : (["rendered"] as const)),
    "lines",
  ];
  const [chosen, choose] = useState<FileView>();
  const view = chosen ?? views[0] ?? "lines";
  return (
    <div class="file">
      <h3>
        <UntrustedText text={path} most={300} /> <Change isNew={file.isNew} isChanged={isChanged} lines={lines} />
        {views.length === 1 ? null : (
          <span class="choices">
            {views.map((one) => (
              <Button key={one} kind="quiet" aria-pressed={one === view} onClick={() => choose(one)}>
                {viewNames[one]}
              </Button>
            ))}
          </span>
        )}
      </h3>
      {view === "rendered" ? (
        rendered
      ) : (
        <Lines path={path} shown={view === "changes" ? foldUnchanged(lines) : lines} comments={comments} />
      )}
    </div>
  );
}

/** A file drawn by its kind: Markdown as a document, JSON as a table. */
function useRendered(path: string, text: string): VNode | undefined {
  const tree = useMarkdown(/\.(?:md|markdown)$/i.test(path) ? text : "");
  const json = useMemo(() => (/\.json$/i.test(path) ? parsedJson(text) : undefined), [path, text]);
  if (/\.(?:md|markdown)$/i.test(path) && tree !== undefined) return <Markdown text={text} tree={tree} />;
  return json === undefined ? undefined : <UntrustedValue value={json} />;
}

/** The value of a JSON text if it reads as what is written: no name twice, and not too much to draw. */
function parsedJson(text: string): object | undefined {
  if (text.length > 50_000) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isSame = JSON.stringify(value).length === text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1").length;
    return typeof value === "object" && value !== null && isSame ? value : undefined;
  } catch {
    return undefined;
  }
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

function Lines({
  path,
  shown,
  comments,
}: { readonly path: string; readonly shown: readonly DiffPart[] } & Given): VNode {
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
                  <Button onClick={() => setOpened(new Set([...opened, one]))}>
                    {one.lines.length} unchanged lines
                  </Button>
                </td>
              </tr>
            ) : (
              <tr key={at} class={one.kind}>
                <td class="number">
                  <LineNumber path={path} line={one} comments={comments} />
                </td>
                <td class="text">
                  {one.kind === "same" ? null : <Sign kind={one.kind} />}
                  <UntrustedText text={one.text} most={1000} />
                  {one.after === undefined ? null : <LineNotes path={path} line={one.after} comments={comments} />}
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
      {drawn.length > most ? (
        <Button kind="more" onClick={() => setMost(drawn.length)}>
          {(drawn.length - most).toLocaleString("en")} more {drawn.length - most === 1 ? "line" : "lines"}
        </Button>
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
