import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { BoardHome } from "../api/board-data.ts";
import type { PageData } from "../api/pages/page-data.ts";
import { type Answer, currentToken, getJson, keepToken, postJson } from "./api-client.ts";
import { Board } from "./board/board.tsx";
import { askOtherTabs } from "./board/other-tabs.ts";
import { Enrolment } from "./enrolment.tsx";
import { Review } from "./judging/review.tsx";
import { Header, Notice } from "./shared/frame.tsx";
import { NoToken } from "./token-form.tsx";

const page = signal<Answer<PageData | BoardHome> | undefined>(undefined);

/** The page, showing what its server serves. */
export function App(): VNode {
  useEffect(() => {
    void load();
    // Refresh when the person comes back to the tab.
    addEventListener("focus", load);
    return () => removeEventListener("focus", load);
  }, []);
  const answered = page.value;
  if (answered !== undefined && "data" in answered && answered.data.kind === "board")
    return <Board home={answered.data} />;
  return (
    <>
      <Header />
      <main>
        <About answered={answered} />
      </main>
    </>
  );
}

/** Loads the page's data again; the old data stays until newer data arrives. */
async function load(): Promise<void> {
  if (currentToken() === "") {
    const token = await askOtherTabs();
    if (token !== undefined) keepToken(token);
  }
  const answered = await getJson<PageData | BoardHome>("page");
  const known = page.value;
  if ("data" in answered || known === undefined || "no" in known) page.value = answered;
}

function About({ answered }: { readonly answered: typeof page.value }): VNode | null {
  if (answered === undefined) return <p class="quiet">Loading…</p>;
  if ("no" in answered)
    return answered.status === 401 || answered.status === 403 ? (
      <NoToken no={answered.no} reload={load} />
    ) : (
      <Notice tone="bad" title="Nothing to show">
        <p>{answered.no}</p>
        <p>
          Run <code>waymark dashboard</code> or <code>waymark approve --web</code> again and open the address it prints.
        </p>
      </Notice>
    );
  const { data } = answered;
  switch (data.kind) {
    case "judging":
      return <Review data={data} send={postJson} reload={load} />;
    case "enrolment":
      return <Enrolment data={data} />;
    case "board":
      return null;
  }
}
