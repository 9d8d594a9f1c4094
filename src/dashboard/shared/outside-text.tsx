import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { piecesOf } from "./visible.ts";

/** A text that came from outside: letters only, whatever they look like; cut where it is longer than anybody reads at once, until they ask. */
export function OutsideText({ text, most = 2000 }: { readonly text: string; readonly most?: number }): VNode {
  const [isWhole, setWhole] = useState(false);
  const isCut = text.length > most && !isWhole;
  const pieces = piecesOf(isCut ? text.slice(0, most) : text);
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

/** A text from outside in one line: cut, ends of lines drawn, nothing to press. The whole is where its line leads. */
export function OutsideLine({ text, most = 120 }: { readonly text: string; readonly most?: number }): VNode {
  const isCut = text.length > most;
  const pieces = piecesOf((isCut ? text.slice(0, most) : text).replace(/\s*\n\s*/g, " \u23ce "));
  return (
    <span class="outside line" dir="ltr" title={isCut ? visibleText(text.slice(0, 1000)) : undefined}>
      {pieces.map((piece) => ("text" in piece ? piece.text : <span class="unseen">{piece.drawn}</span>))}
      {isCut ? "\u2026" : ""}
    </span>
  );
}

/** A text from outside for where only letters go: a title, what is read aloud. */
export function visibleText(text: string, most = 300): string {
  return piecesOf(text.slice(0, most))
    .map((piece) => ("text" in piece ? piece.text : piece.drawn))
    .join("");
}

/** A value of an output or of evidence: a text, a number or a yes as it is, a list of them as a list, an object as a small table, anything else as JSON. */
export function OutsideValue({ value, depth = 0 }: { readonly value: unknown; readonly depth?: number }): VNode {
  if (isList(value))
    return (
      <ul class="value-list">
        {value.map((one, at) => (
          <li key={at}>
            <OutsideText text={String(one)} />
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
                <OutsideText text={name} most={100} />
              </th>
              <td>
                <OutsideValue value={one} depth={depth + 1} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    );
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? (
    <OutsideText text={String(value)} />
  ) : (
    <code>
      <OutsideText text={JSON.stringify(value, null, 2)} />
    </code>
  );
}

/** So deep tables stand in tables; what is deeper is JSON. */
const deepest = 2;

/** An object that is easier to read as a table: each name is seen, and no text is empty. */
function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  const isSeen = ([name, one]: readonly [string, unknown]): boolean =>
    isWord(name) && (typeof one !== "string" || isWord(one));
  return entries.length > 0 && entries.length <= 50 && entries.every(isSeen);
}

/** A number, or a text in which something is seen. */
function isWord(one: unknown): boolean {
  return typeof one === "number" || (typeof one === "string" && /\S/.test(one));
}

/** A list that is easier to read as one: of texts and numbers, none of which looks like another thing than it is. */
function isList(value: unknown): value is readonly (string | number)[] {
  return Array.isArray(value) && value.length > 0 && value.length <= 50 && value.every(isWord);
}
