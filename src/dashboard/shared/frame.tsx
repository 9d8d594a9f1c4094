import type { ComponentChildren, VNode } from "preact";

/** The line at the top of every page. */
export function Header(): VNode {
  return (
    <header class="top">
      <Mark />
      <strong>Waymark</strong>
    </header>
  );
}

/** The waymark. */
export function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 1l3.2 7.8L23 12l-7.8 3.2L12 23l-3.2-7.8L1 12l7.8-3.2z" />
    </svg>
  );
}

/** What is shown while something is looked for, and where it cannot be had. */
export function Missing({ answered }: { readonly answered: { readonly no: string } | undefined }): VNode {
  if (answered === undefined)
    return (
      <p class="quiet waiting" role="status">
        One moment…
      </p>
    );
  return (
    <Notice tone="bad" title="It cannot be shown">
      <p>{answered.no}</p>
    </Notice>
  );
}

export type Tone = "good" | "warn" | "bad" | "plain";

/** Something that is to be read before anything else. */
export function Notice(given: { readonly tone: Tone; readonly title: string; children?: ComponentChildren }): VNode {
  return (
    <section class={`notice ${given.tone}`} role={given.tone === "bad" ? "alert" : "status"}>
      <h2>{given.title}</h2>
      {given.children}
    </section>
  );
}

/** A part of a page, with its heading and a line on what is in it. */
export function Part(given: { readonly title: string; readonly about?: string; children?: ComponentChildren }): VNode {
  return (
    <section class="card">
      <div class="card-head">
        <h2>{given.title}</h2>
        {given.about === undefined ? null : <p class="quiet">{given.about}</p>}
      </div>
      {given.children}
    </section>
  );
}

/** A word with a colour; the word alone says it as well. */
export function Badge({ tone, text }: { readonly tone: Tone; readonly text: string }): VNode {
  return <span class={`badge ${tone}`}>{text}</span>;
}
