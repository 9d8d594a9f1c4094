import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { BoardHome, InboxData } from "../../http/board/board-data.ts";
import { Audit } from "../audit/audit.tsx";
import { Inbox } from "../inbox/inbox.tsx";
import { runs, startHearing, stream } from "../live/known.ts";
import { useAsked } from "../live/use-asked.ts";
import { Process } from "../process/process.tsx";
import { Run } from "../run/run.tsx";
import { Runs } from "../runs/runs.tsx";
import { Notice } from "../shared/frame.tsx";
import { turnTheme } from "../shared/theme.ts";
import { BoardHeader } from "./header.tsx";
import { Help, isHelping } from "./help.tsx";
import { listenToKeys, step, useKeys } from "./keys.ts";
import { answerOtherTabs } from "./other-tabs.ts";
import { followAddress, go, href, place } from "./place.ts";

/** The dashboard of a project: five views that follow what happens. */
export function Board({ home }: { readonly home: BoardHome }): VNode {
  useEffect(() => {
    followAddress();
    startHearing();
    answerOtherTabs();
    return listenToKeys();
  }, []);
  useKeys(boardKeys);
  const inbox = useAsked<InboxData>("inbox", ({ type }) => type === "run" || type === "gone");
  const items = inbox.answered !== undefined && "data" in inbox.answered ? inbox.answered.data.items : [];
  const { view } = place.value;
  const key = "key" in place.value ? place.value.key : "";
  useEffect(() => {
    document.title = `${items.length > 0 ? `(${items.length}) ` : ""}${titles[view]} · ${home.project} · Waymark`;
  }, [view, items.length]);
  useEffect(() => scrollTo(0, 0), [view, key]);
  return (
    <>
      <BoardHeader home={home} waiting={items.length} />
      <Behind />
      <main id="content" tabIndex={-1}>
        <View home={home} inbox={inbox} />
      </main>
      <Help />
    </>
  );
}

const titles = { runs: "Runs", run: "A run", inbox: "Inbox", audit: "Audit", process: "Process", nowhere: "Nothing" };

function View({
  home,
  inbox,
}: {
  readonly home: BoardHome;
  readonly inbox: ReturnType<typeof useAsked<InboxData>>;
}): VNode {
  const here = place.value;
  switch (here.view) {
    case "runs":
      return <Runs home={home} inbox={inbox.answered} stands={here.stands} />;
    case "run":
      return <Run key={here.key} place={here} />;
    case "inbox":
      return <Inbox home={home} inbox={inbox} item={here.item} />;
    case "audit":
      return <Audit chosen={here.key} record={here.record} />;
    case "process":
      return <Process at={here.at} />;
    case "nowhere":
      return (
        <Notice tone="warn" title="There is no such place">
          <p>
            The address names nothing here. <a href={href({ view: "runs" })}>See all runs.</a>
          </p>
        </Notice>
      );
  }
}

/** Says when what is shown may be old: since when, and what is done about it. */
function Behind(): VNode | null {
  const state = stream.value;
  if (state.kind === "refused")
    return (
      <p class="strip bad" role="alert">
        The server wants another token: this one is over.{" "}
        <button type="button" class="quiet-button" onClick={() => location.reload()}>
          Enter one
        </button>
      </p>
    );
  if (state.kind !== "behind" || runs.value === undefined) return null;
  const since = new Date(state.since).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false });
  return (
    <p class="strip warn" role="status">
      Behind since {since}: the server does not answer. Reconnecting by itself; what you see was true then.
    </p>
  );
}

const boardKeys = [
  { keys: "j", words: "next row", act: () => step(1) },
  { keys: "k", words: "previous row", act: () => step(-1) },
  { keys: "/", words: "search", act: () => document.querySelector<HTMLElement>("[data-search]")?.focus() },
  { keys: "g r", words: "go to Runs", act: () => go({ view: "runs" }) },
  { keys: "g i", words: "go to the Inbox", act: () => go({ view: "inbox" }) },
  { keys: "g a", words: "go to Audit", act: () => go({ view: "audit" }) },
  { keys: "g p", words: "go to Process", act: () => go({ view: "process" }) },
  { keys: "t", words: "light, dark or automatic", act: turnTheme },
  { keys: "?", words: "what the keys do", act: () => (isHelping.value = true) },
  { keys: "Escape", words: "back to the list", act: up },
];

function up(): void {
  const here = place.value;
  if (here.view === "run")
    go(here.at === undefined && here.record === undefined ? { view: "runs" } : { view: "run", key: here.key });
  else if (here.view === "inbox") go({ view: "inbox" });
  else if (here.view === "audit") go({ view: "audit" });
  else if (here.view === "process") go({ view: "process" });
  else go({ view: "runs" });
}
