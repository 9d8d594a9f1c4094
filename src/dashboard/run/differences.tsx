import type { VNode } from "preact";
import type { ShownHandIn } from "../../http/board/board-data.ts";
import { linesOf } from "../../overview/difference.ts";
import { OutsideLine, OutsideText } from "../shared/outside-text.tsx";

/** What two hand-ins differ in, field by field: what came, what went, what was said otherwise. */
export function Differences({ before, after }: { readonly before: ShownHandIn; readonly after: ShownHandIn }): VNode {
  const changes = changesOf(fieldsOf(before), fieldsOf(after));
  if (changes.length === 0) return <p class="outcome bad">Nothing: it was handed in again just as before.</p>;
  return (
    <dl class="differences">
      {changes.map(({ field, was, is }) => (
        <div key={field}>
          <dt>
            <OutsideLine text={field} most={80} />{" "}
            <span class="quiet small">{was === undefined ? "came" : is === undefined ? "went" : "changed"}</span>
          </dt>
          <dd>
            {linesOf(was ?? "", is ?? "")
              .filter(({ kind }) => kind !== "same")
              .slice(0, 60)
              .map(({ kind, text }, at) => (
                <div key={at} class={kind}>
                  <span aria-hidden="true">{kind === "added" ? "+" : "−"} </span>
                  <span class="aloud">{kind}: </span>
                  <OutsideText text={text} most={500} />
                </div>
              ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Change = { readonly field: string; readonly was?: string; readonly is?: string };

/** What differs between two sets of fields, in the order of the later one. */
export function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly Change[] {
  const fields = [...new Set([...after.keys(), ...before.keys()])];
  return fields.flatMap((field) => {
    const [was, is] = [before.get(field), after.get(field)];
    if (was === is) return [];
    return [{ field, ...(was === undefined ? {} : { was }), ...(is === undefined ? {} : { is }) }];
  });
}

function fieldsOf({ evidence, outputs, content }: ShownHandIn): ReadonlyMap<string, string> {
  return new Map([
    ...evidence
      .filter(({ standing }) => standing !== "found")
      .map(({ field, value }) => [field, inLines(value)] as const),
    ...Object.entries(outputs).map(([field, value]) => [`output ${field}`, inLines(value)] as const),
    ...content.map(({ path, bytes, sha256 }) => [`file ${path}`, `${bytes} B, ${sha256.slice(0, 12)}`] as const),
  ]);
}

function inLines(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
