import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { PageData } from "../http/pages/page-data.ts";
import { Enrolment } from "./enrolment.tsx";
import { Judging } from "./judging/judging.tsx";
import { type Answered, ask } from "./server.ts";
import { Header, Notice } from "./shared/frame.tsx";

const page = signal<Answered<PageData> | undefined>(undefined);

/** The page: what its server says that it is about. */
export function App(): VNode {
  useEffect(() => {
    void load();
    // Whoever comes back to the tab sees what is there now.
    addEventListener("focus", load);
    return () => removeEventListener("focus", load);
  }, []);
  return (
    <>
      <Header />
      <main>
        <About answered={page.value} />
      </main>
    </>
  );
}

/** Looks again at what the page is about. What was shown stays while nothing newer is known. */
async function load(): Promise<void> {
  const answered = await ask<PageData>("page");
  if ("data" in answered || page.value === undefined || "no" in page.value) page.value = answered;
}

function About({ answered }: { readonly answered: Answered<PageData> | undefined }): VNode {
  if (answered === undefined) return <p class="quiet">One moment…</p>;
  if ("no" in answered)
    return (
      <Notice tone="bad" title="There is nothing to show">
        <p>{answered.no}</p>
      </Notice>
    );
  const { data } = answered;
  return data.kind === "judging" ? <Judging data={data} reload={load} /> : <Enrolment data={data} />;
}
