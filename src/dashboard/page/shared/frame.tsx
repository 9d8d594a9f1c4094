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

/** The Waymark logo. */
export function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 1l3.2 7.8L23 12l-7.8 3.2L12 23l-3.2-7.8L1 12l7.8-3.2z" />
    </svg>
  );
}

/** A placeholder while data loads, or the reason why it cannot be shown. */
export function LoadingOrError({
  answered,
}: {
  readonly answered: { readonly no: string; readonly status: number } | undefined;
}): VNode {
  if (answered === undefined)
    return (
      <div class="skeleton" role="status">
        <span class="aloud">Loading…</span>
        <i />
        <i />
        <i />
      </div>
    );
  const isGone = answered.status === 404;
  return (
    <Notice tone={isGone ? "warn" : "bad"} title={isGone ? "Not found" : "Can't show this"}>
      <p>{isGone ? "It does not exist here: it was erased, or the address is of another project." : answered.no}</p>
      <p>
        <a href="#/runs">See all runs</a>
      </p>
    </Notice>
  );
}

export type Tone = "good" | "warn" | "bad" | "plain";

/** A notice to read first. */
export function Notice(given: { readonly tone: Tone; readonly title: string; children?: ComponentChildren }): VNode {
  return (
    <section class={`notice ${given.tone}`} role={given.tone === "bad" ? "alert" : "status"}>
      <h2>{given.title}</h2>
      {given.children}
    </section>
  );
}

/** A section of a page with a heading and a summary line. */
export function Section(given: {
  readonly title: string;
  readonly about?: string;
  children?: ComponentChildren;
}): VNode {
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

/** A coloured label. */
export function Badge({ tone, text }: { readonly tone: Tone; readonly text: string }): VNode {
  return <span class={`badge ${tone}`}>{text}</span>;
}
