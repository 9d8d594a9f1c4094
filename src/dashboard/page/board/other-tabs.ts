import { currentToken } from "../api-client.ts";
import { connection } from "../live/runs.ts";

type Note = { readonly wants: true } | { readonly token: string };

const name = "waymark.tabs";

/** Asks other tabs of this page for their token, so that a second tab opens without the full address. */
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

/** Answers other tabs, but only while our own server is live, because another program may take its port. */
export function answerOtherTabs(): void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Note>) => {
    if ("wants" in data && connection.value.kind === "live")
      channel.postMessage({ token: currentToken() } satisfies Note);
  };
}
