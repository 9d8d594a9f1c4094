import type { VNode } from "preact";
import type { ShownSubmission } from "../../api/board-data.ts";
import { compareLines } from "../../overview/difference.ts";
import { UntrustedLine, UntrustedText } from "../shared/untrusted-text.tsx";

/** The differences between two submissions, field by field. */
export function Differences({
  before,
  after,
}: {
  readonly before: ShownSubmission;
  readonly after: ShownSubmission;
}): VNode {
  const changes = fieldChanges(fieldsOf(before), fieldsOf(after));
  if (changes.length === 0) return <p class="outcome bad">No changes: same as before.</p>;
  return (
    <dl class="differences">
      {changes.map(({ field, was, is }) => (
        <div key={field}>
          <dt>
            <UntrustedLine text={field} most={80} />{" "}
            <span class="quiet small">{was === undefined ? "added" : is === undefined ? "removed" : "changed"}</span>
          </dt>
          <dd>
            {compareLines(was ?? "", is ?? "")
              .filter(({ kind }) => kind !== "same")
              .slice(0, 60)
              .map(({ kind, text }, at) => (
                <div key={at} class={kind}>
                  <span aria-hidden="true">{kind === "added" ? "+" : "−"} </span>
                  <span class="aloud">{kind}: </span>
                  <UntrustedText text={text} most={500} />
                </div>
              ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Change = { readonly field: string; readonly was?: string; readonly is?: string };

/** Compares two sets of fields, in the order of the later one. */
export function fieldChanges(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly Change[] {
  const fields = [...new Set([...after.keys(), ...before.keys()])];
  return fields.flatMap((field) => {
    const [was, is] = [before.get(field), after.get(field)];
    if (was === is) return [];
    return [{ field, ...(was === undefined ? {} : { was }), ...(is === undefined ? {} : { is }) }];
  });
}

function fieldsOf({ evidence, outputs, content }: ShownSubmission): ReadonlyMap<string, string> {
  return new Map([
    ...evidence
      .filter(({ standing: status }) => status !== "found")
      .map(({ field, value }) => [field, valueText(value)] as const),
    ...Object.entries(outputs).map(([field, value]) => [`output ${field}`, valueText(value)] as const),
    ...content.map(({ path, bytes, sha256 }) => [`file ${path}`, `${bytes} B, ${sha256.slice(0, 12)}`] as const),
  ]);
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
