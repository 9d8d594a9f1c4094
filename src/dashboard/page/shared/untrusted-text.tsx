import { Fragment, type VNode } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
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
        <Button kind="more" onClick={() => setWhole(true)}>
          … {(text.length - most).toLocaleString("en")} more characters
        </Button>
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

/** An untrusted name, which breaks at its own joints before it breaks in the middle. */
export function UntrustedName({ name, most = 200 }: { readonly name: string; readonly most?: number }): VNode {
  const parts = visibleText(name, most).split(/(?<=[_./:-])/);
  return (
    <span class="outside" dir="ltr" title={name.length > most ? visibleText(name, 1000) : undefined}>
      {parts.map((part, at) => (
        <Fragment key={at}>
          {part}
          <wbr />
        </Fragment>
      ))}
      {name.length > most ? "\u2026" : ""}
    </span>
  );
}

/** Returns an untrusted text for titles and labels, with invisible characters drawn. */
export function visibleText(text: string, most = 300): string {
  return splitInvisible(text.slice(0, most))
    .map((piece) => ("text" in piece ? piece.text : piece.drawn))
    .join("");
}

/** An untrusted value: a text, number or boolean as it is, lists and objects as lists and tables while they are small, otherwise JSON. */
export function UntrustedValue({ value, depth = 0 }: { readonly value: unknown; readonly depth?: number }): VNode {
  if (depth < deepest && isSmallList(value)) {
    const columns = columnsOf(value);
    return columns === undefined ? (
      <ul class="value-list">
        {value.map((one, at) => (
          <li key={at}>
            <UntrustedValue value={one} depth={depth + 1} />
          </li>
        ))}
      </ul>
    ) : (
      <table class="value-table">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                <UntrustedText text={name} most={100} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {value.map((row, at) => (
            <tr key={at}>
              {columns.map((name) => (
                <td key={name}>
                  {isObject(row) && Object.hasOwn(row, name) ? (
                    <UntrustedValue value={row[name]} depth={depth + 2} />
                  ) : (
                    ""
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    );
  }
  if (depth < deepest && isTable(value))
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
  return isPlain(value) ? (
    <UntrustedText text={String(value)} />
  ) : (
    <code>
      <UntrustedText text={JSON.stringify(value, null, 2)} />
    </code>
  );
}

/** The depth down to which lists and objects are drawn. */
const deepest = 4;

/** The most entries of a list or an object that is drawn as one. */
const mostEntries = 50;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Tells if an object reads better as a table: every name and text is visible. */
function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length > 0 && entries.length <= mostEntries && entries.every(([name, one]) => isSeen(name) && isSeen(one))
  );
}

/** Tells if a list reads better as one: none of its texts is invisible. */
function isSmallList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.length <= mostEntries && value.every(isSeen);
}

/** The names of a list of similar small objects, to draw it as a table with a row for each. */
function columnsOf(rows: readonly unknown[]): readonly string[] | undefined {
  if (rows.length < 2 || !rows.every((row) => isTable(row) && Object.values(row).every(isPlain))) return undefined;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row as object)))];
  return names.length <= 6 ? names : undefined;
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Tells if a value can be seen: not a text of blanks alone. */
function isSeen(one: unknown): boolean {
  return typeof one === "string" ? /\S/.test(one) : one !== null;
}
