import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { splitInvisible } from "./invisible-characters.ts";

/** An untrusted text, shown as plain letters and cut until the reader asks for all of it. */
export function UntrustedText({ text, most = 2000 }: { readonly text: string; readonly most?: number }): VNode {
  const [isWhole, setWhole] = useState(false);
  const isCut = text.length > most && !isWhole;
  const pieces = splitInvisible(isCut ? text.slice(0, most) : text);
  return (
    <span class="outside" dir="ltr">
      {pieces.map((piece) =>
        "text" in piece ? (
          piece.text
        ) : (
          <span class="unseen" title={`An invisible character: ${piece.code}`}>
            {piece.drawn}
          </span>
        ),
      )}
      {isCut ? (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          … {(text.length - most).toLocaleString("en")} more characters
        </button>
      ) : null}
    </span>
  );
}

/** An untrusted text on one line, cut, with line breaks drawn and nothing to press. */
export function UntrustedLine({ text, most = 120 }: { readonly text: string; readonly most?: number }): VNode {
  const isCut = text.length > most;
  const pieces = splitInvisible((isCut ? text.slice(0, most) : text).replace(/\s*\n\s*/g, " \u23ce "));
  return (
    <span class="outside line" dir="ltr" title={isCut ? visibleText(text.slice(0, 1000)) : undefined}>
      {pieces.map((piece) => ("text" in piece ? piece.text : <span class="unseen">{piece.drawn}</span>))}
      {isCut ? "\u2026" : ""}
    </span>
  );
}

/** Returns an untrusted text for titles and labels, with invisible characters drawn. */
export function visibleText(text: string, most = 300): string {
  return splitInvisible(text.slice(0, most))
    .map((piece) => ("text" in piece ? piece.text : piece.drawn))
    .join("");
}

/** An untrusted value: a text, number or boolean as it is, a list or small table if it fits, otherwise JSON. */
export function UntrustedValue({ value, depth = 0 }: { readonly value: unknown; readonly depth?: number }): VNode {
  if (isList(value))
    return (
      <ul class="value-list">
        {value.map((one, at) => (
          <li key={at}>
            <UntrustedText text={String(one)} />
          </li>
        ))}
      </ul>
    );
  if (isTable(value) && depth < deepest)
    return (
      <table class="value-table">
        <tbody>
          {Object.entries(value).map(([name, one]) => (
            <tr key={name}>
              <th scope="row">
                <UntrustedText text={name} most={100} />
              </th>
              <td>
                <UntrustedValue value={one} depth={depth + 1} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    );
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? (
    <UntrustedText text={String(value)} />
  ) : (
    <code>
      <UntrustedText text={JSON.stringify(value, null, 2)} />
    </code>
  );
}

/** The depth down to which objects are drawn as tables. */
const deepest = 2;

/** Tells if an object reads better as a table: every name and text is visible. */
function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  const isSeen = ([name, one]: readonly [string, unknown]): boolean =>
    isVisible(name) && (typeof one !== "string" || isVisible(one));
  return entries.length > 0 && entries.length <= 50 && entries.every(isSeen);
}

/** Tells if a value is a number or a visible text. */
function isVisible(one: unknown): boolean {
  return typeof one === "number" || (typeof one === "string" && /\S/.test(one));
}

/** Tells if a list reads better as one: only visible texts and numbers. */
function isList(value: unknown): value is readonly (string | number)[] {
  return Array.isArray(value) && value.length > 0 && value.length <= 50 && value.every(isVisible);
}
