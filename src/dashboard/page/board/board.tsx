import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { BoardHome, InboxData } from "../../api/board-data.ts";
import { Audit } from "../audit/audit.tsx";
import { Inbox } from "../inbox/inbox.tsx";
import { Notifications } from "../live/notifications.tsx";
import { connection, runs, startLive } from "../live/runs.ts";
import { useResource } from "../live/use-resource.ts";
import { Process } from "../process/process.tsx";
import { Run } from "../run/run.tsx";
import { Runs } from "../runs/runs.tsx";
import { Button } from "../shared/button.tsx";
import { timeText } from "../shared/date-text.ts";
import { Notice } from "../shared/frame.tsx";
import { nextTheme } from "../shared/theme.ts";
import { BoardHeader } from "./header.tsx";
import { Help, isHelpOpen } from "./help.tsx";
import { currentLocation, followAddress, go, href } from "./location.ts";
import { answerOtherTabs } from "./other-tabs.ts";
import { focusRow, listenToKeys, useKeys } from "./shortcuts.ts";

/** The dashboard of a project: five live views. */
export function Board({ home }: { readonly home: BoardHome }): VNode {
  useEffect(() => {
    followAddress();
    startLive();
    answerOtherTabs();
    return listenToKeys();
  }, []);
  useKeys(boardKeys);
  const inbox = useResource<InboxData>("inbox", ({ type }) => type === "run" || type === "gone");
  const items = inbox.answer !== undefined && "data" in inbox.answer ? inbox.answer.data.items : [];
  const { view } = currentLocation.value;
  const key = "key" in currentLocation.value ? currentLocation.value.key : "";
  useEffect(() => {
    document.title = `${items.length > 0 ? `(${items.length}) ` : ""}${titles[view]} · ${home.project} · Waymark`;
  }, [view, items.length]);
  useEffect(() => scrollTo(0, 0), [view, key]);
  return (
    <>
      <BoardHeader home={home} waiting={items.length} />
      <OutOfDate />
      <Notifications waiting={items.map(({ key, workflow, step }) => `${key} ${workflow} ${step}`)} />
      <main id="content" tabIndex={-1}>
        <View home={home} inbox={inbox} />
      </main>
      <Help />
    </>
  );
}

const titles = { runs: "Runs", run: "Run", inbox: "Inbox", audit: "Audit", process: "Process", nowhere: "Not found" };

function View({
  home,
  inbox,
}: {
  readonly home: BoardHome;
  readonly inbox: ReturnType<typeof useResource<InboxData>>;
}): VNode {
  const here = currentLocation.value;
  switch (here.view) {
    case "runs":
      return <Runs home={home} inbox={inbox.answer} filters={here} />;
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
        <Notice tone="warn" title="Page not found">
          <p>
            This address does not exist. <a href={href({ view: "runs" })}>See all runs.</a>
          </p>
        </Notice>
      );
  }
}

/** Warns if the data may be out of date. */
function OutOfDate(): VNode | null {
  const state = connection.value;
  if (state.kind === "refused")
    return (
      <p class="strip bad" role="alert">
        Your token is no longer valid.{" "}
        <Button kind="quiet" onClick={() => location.reload()}>
          Enter another
        </Button>
      </p>
    );
  if (state.kind !== "behind" || runs.value === undefined) return null;
  const since = timeText(state.since);
  return (
    <p class="strip warn" role="status">
      Out of date since {since}: the server does not respond. Reconnecting automatically.
    </p>
  );
}

const boardKeys = [
  { keys: "j", words: "next row", act: () => focusRow(1) },
  { keys: "k", words: "previous row", act: () => focusRow(-1) },
  { keys: "/", words: "search", act: () => document.querySelector<HTMLElement>("[data-search]")?.focus() },
  { keys: "g r", words: "go to Runs", act: () => go({ view: "runs" }) },
  { keys: "g i", words: "go to the Inbox", act: () => go({ view: "inbox" }) },
  { keys: "g a", words: "go to Audit", act: () => go({ view: "audit" }) },
  { keys: "g p", words: "go to Process", act: () => go({ view: "process" }) },
  { keys: "t", words: "switch theme", act: nextTheme },
  { keys: "?", words: "show shortcuts", act: () => (isHelpOpen.value = true) },
  { keys: "Escape", words: "back to the list", act: goUp },
];

function goUp(): void {
  const here = currentLocation.value;
  if (here.view === "run")
    go(here.at === undefined && here.record === undefined ? { view: "runs" } : { view: "run", key: here.key });
  else if (here.view === "inbox") go({ view: "inbox" });
  else if (here.view === "audit") go({ view: "audit" });
  else if (here.view === "process") go({ view: "process" });
  else go({ view: "runs" });
}
