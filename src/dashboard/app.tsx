import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { BoardHome } from "../http/board/board-data.ts";
import type { PageData } from "../http/pages/page-data.ts";
import { Board } from "./board/board.tsx";
import { askOtherTabs } from "./board/other-tabs.ts";
import { Enrolment } from "./enrolment.tsx";
import { Judging } from "./judging/judging.tsx";
import { NoToken } from "./no-token.tsx";
import { type Answered, ask, keepToken, tell, tokenHere } from "./server.ts";
import { Header, Notice } from "./shared/frame.tsx";

const page = signal<Answered<PageData | BoardHome> | undefined>(undefined);

/** The page: what its server says that it is about. */
export function App(): VNode {
  useEffect(() => {
    void load();
    // Whoever comes back to the tab sees what is there now.
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

/** Looks again at what the page is about. What was shown stays while nothing newer is known. */
async function load(): Promise<void> {
  if (tokenHere() === "") {
    const token = await askOtherTabs();
    if (token !== undefined) keepToken(token);
  }
  const answered = await ask<PageData | BoardHome>("page");
  const known = page.value;
  if ("data" in answered || known === undefined || "no" in known) page.value = answered;
}

function About({ answered }: { readonly answered: typeof page.value }): VNode | null {
  if (answered === undefined) return <p class="quiet">One moment…</p>;
  if ("no" in answered)
    return answered.status === 401 || answered.status === 403 ? (
      <NoToken no={answered.no} reload={load} />
    ) : (
      <Notice tone="bad" title="There is nothing to show">
        <p>{answered.no}</p>
        <p>
          Start it again, <code>waymark dashboard</code> or <code>waymark approve --web</code>, and open the address
          that it prints.
        </p>
      </Notice>
    );
  const { data } = answered;
  switch (data.kind) {
    case "judging":
      return <Judging data={data} send={tell} reload={load} />;
    case "enrolment":
      return <Enrolment data={data} />;
    case "board":
      return null;
  }
}
