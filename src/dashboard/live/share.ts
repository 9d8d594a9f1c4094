import type { LiveEvent } from "../../http/board/board-data.ts";
import { tokenHere } from "../server.ts";
import { hearServer, type Listener, type StreamState } from "./stream.ts";

/** What the tabs of one browser tell each other. */
type Note = { readonly event: LiveEvent } | { readonly state: StreamState } | { readonly asks: true };

/** A tab that hears nothing from the one with the stream for so long takes it over: that one sleeps. */
const patience = 60_000;

/**
 * Hears the server by one stream for all tabs of this browser: the tab that holds the lock has it and passes on what it hears.
 * A browser opens only six connections to a server, and with six tabs streaming the seventh would not load.
 */
export async function hearTogether(listener: Listener): Promise<void> {
  const name = await nameOf(tokenHere(), location.search);
  // Without a safe origin there are no locks: a stream of its own is better than none.
  if (name === undefined) return hearServer(listener, new AbortController().signal);
  const channel = new BroadcastChannel(name);
  let [leads, heard]: [boolean, number] = [false, Date.now()];
  let state: StreamState = { kind: "asking" };
  const pass = (note: Note): void => channel.postMessage(note);
  channel.onmessage = ({ data }: MessageEvent<Note>) => {
    if ("asks" in data) {
      if (leads) pass({ state });
      return;
    }
    if (leads) return;
    heard = Date.now();
    if ("event" in data) listener.hear(data.event);
    else listener.turned(data.state);
  };
  const lead = async (): Promise<void> => {
    leads = true;
    const stop = new AbortController();
    await hearServer(
      {
        hear: (event) => {
          if (!leads) return stop.abort();
          listener.hear(event);
          pass({ event });
        },
        turned: (now) => {
          if (!leads) return stop.abort();
          state = now;
          listener.turned(now);
          pass({ state });
        },
      },
      stop.signal,
    );
    // A token that was refused is not tried again; the tab stays the one that knows so.
    if (leads) await new Promise(() => undefined);
  };
  const stand = async (steal: boolean): Promise<void> => {
    try {
      await navigator.locks.request(name, steal ? { steal } : {}, lead);
    } catch {
      // Another tab has taken it, because this one slept.
      leads = false;
      heard = Date.now();
      void stand(false);
    }
  };
  pass({ asks: true });
  setInterval(() => {
    if (!leads && document.visibilityState === "visible" && Date.now() - heard > patience) void stand(true);
  }, patience / 4);
  return stand(false);
}

/** One name for all tabs that see the same: of one token, about one project. */
async function nameOf(token: string, search: string): Promise<string | undefined> {
  if (!("locks" in navigator) || crypto.subtle === undefined) return undefined;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${token} ${search}`));
  return `waymark.live.${Array.from(new Uint8Array(digest).slice(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
