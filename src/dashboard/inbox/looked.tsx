import type { VNode } from "preact";
import type { InboxItem } from "../../http/board/board-data.ts";

type Looked = InboxItem["looked"];

/** How far evidence was looked at, as a bar and in honest words: what nobody saw is said as plainly as what was. */
export function LookedBar({ looked }: { readonly looked: Looked }): VNode {
  const all = looked.found + looked.agrees + looked.differs + looked.word;
  const parts = [
    ["differs", looked.differs],
    ["found", looked.found],
    ["agrees", looked.agrees],
    ["word", looked.word],
  ] as const;
  return (
    <span class="looked">
      {all === 0 ? null : (
        <svg class="looked-bar" viewBox={`0 0 ${all} 1`} preserveAspectRatio="none" aria-hidden="true">
          {parts.map(([name, count], at) => (
            <rect
              key={name}
              class={name}
              x={parts.slice(0, at).reduce((sum, [, before]) => sum + before, 0)}
              width={count}
              height={1}
            />
          ))}
        </svg>
      )}
      <span>{lookedInWords(looked)}</span>
    </span>
  );
}

/** So many agree, so many stand on the assistant's word, so many were seen. */
export function lookedInWords({ found, agrees, differs, word }: Looked): string {
  if (found + agrees + differs + word === 0) return "no evidence";
  const said = [`${agrees} agree${agrees === 1 ? "s" : ""}`, `${word} on its word`, `${found} seen`];
  return (differs > 0 ? [`${differs} found otherwise`, ...said] : said).join(", ");
}

/** The same of a list of evidence. */
export function lookedAt(evidence: readonly { readonly standing: keyof Looked }[]): Looked {
  const count = (standing: keyof Looked): number => evidence.filter((one) => one.standing === standing).length;
  return { found: count("found"), agrees: count("agrees"), differs: count("differs"), word: count("word") };
}
