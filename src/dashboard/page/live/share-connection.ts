import type { LiveEvent } from "../../api/board-data.ts";
import { currentToken } from "../api-client.ts";
import { type ConnectionState, followServer, type LiveListener } from "./connection.ts";

/** A message between the tabs of one browser. */
type TabMessage = { readonly event: LiveEvent } | { readonly state: ConnectionState } | { readonly asks: true };

/** The silence after which a tab takes over the connection, because the leading tab sleeps. */
const takeoverMs = 60_000;

/**
 * Shares one live connection among all tabs, because a browser opens only six to a server; the tab that holds the lock passes events on.
 */
export async function shareConnection(listener: LiveListener): Promise<void> {
  const name = await channelName(currentToken(), location.search);
  // Locks need a secure origin: without one, use an own connection.
  if (name === undefined) return followServer(listener, new AbortController().signal);
  const channel = new BroadcastChannel(name);
  let [leads, heard]: [boolean, number] = [false, Date.now()];
  let state: ConnectionState = { kind: "asking" };
  const pass = (note: TabMessage): void => channel.postMessage(note);
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if ("asks" in data) {
      if (leads) pass({ state });
      return;
    }
    if (leads) return;
    heard = Date.now();
    if ("event" in data) listener.onEvent(data.event);
    else listener.onState(data.state);
  };
  const lead = async (): Promise<void> => {
    leads = true;
    const stop = new AbortController();
    await followServer(
      {
        onEvent: (event) => {
          if (!leads) return stop.abort();
          listener.onEvent(event);
          pass({ event });
        },
        onState: (now) => {
          if (!leads) return stop.abort();
          state = now;
          listener.onState(now);
          pass({ state });
        },
      },
      stop.signal,
    );
    // A refused token is not tried again; this tab stays the leader that knows it.
    if (leads) await new Promise(() => undefined);
  };
  const takeTurn = async (steal: boolean): Promise<void> => {
    try {
      await navigator.locks.request(name, steal ? { steal } : {}, lead);
    } catch {
      // Another tab has taken over, because this one slept.
      leads = false;
      heard = Date.now();
      void takeTurn(false);
    }
  };
  pass({ asks: true });
  setInterval(() => {
    if (!leads && document.visibilityState === "visible" && Date.now() - heard > takeoverMs) void takeTurn(true);
  }, takeoverMs / 4);
  return takeTurn(false);
}

/** Names the channel of all tabs with the same token and project. */
async function channelName(token: string, search: string): Promise<string | undefined> {
  if (!("locks" in navigator) || crypto.subtle === undefined) return undefined;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${token} ${search}`));
  return `waymark.live.${Array.from(new Uint8Array(digest).slice(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
