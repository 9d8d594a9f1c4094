import { stream } from "../live/known.ts";
import { tokenHere } from "../server.ts";

type Note = { readonly wants: true } | { readonly token: string };

const name = "waymark.tabs";

/** The token of another tab of this page, where one is open: whoever opens a second tab need not look for the address again. */
export function askOtherTabs(): Promise<string | undefined> {
  const channel = new BroadcastChannel(name);
  return new Promise((found) => {
    const end = (token?: string): void => {
      channel.close();
      found(token);
    };
    channel.onmessage = ({ data }: MessageEvent<Note>) => {
      if ("token" in data) end(data.token);
    };
    channel.postMessage({ wants: true } satisfies Note);
    setTimeout(end, 150);
  });
}

/** Answers tabs that ask. Only while our server answers us: whatever else may come to listen on its port is told nothing. */
export function answerOtherTabs(): void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Note>) => {
    if ("wants" in data && stream.value.kind === "live") channel.postMessage({ token: tokenHere() } satisfies Note);
  };
}
