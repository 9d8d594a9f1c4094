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

/** A value of an output or of evidence: a text as it is, anything else as JSON. */
export function OutsideValue({ value }: { readonly value: unknown }): VNode {
  return typeof value === "string" ? (
    <OutsideText text={value} />
  ) : (
    <code>
      <OutsideText text={JSON.stringify(value, null, 2)} />
    </code>
  );
}
