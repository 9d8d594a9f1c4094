import { createHmac } from "node:crypto";
import type { NotifyTarget } from "../engine/ports/notice-queue.ts";
import { defined } from "../kit/defined.ts";
import { runLabel, stepLabel } from "../messages/stream-words.ts";
import { type StreamId, streamName } from "../workflow/stream-id.ts";
import type { Notice } from "./find-notices.ts";

/** A message to a webhook: a notice of a run, or the test that a person sends. */
export type Message = Omit<Notice, "event"> & {
  readonly event: Notice["event"] | "test";
  readonly project: string;
  readonly stream?: StreamId;
  /** The run on the dashboard. */
  readonly link?: string | undefined;
};

/** The body and headers of a message; the signature covers the time and the body. */
export function compose(
  message: Message,
  format: NotifyTarget["format"],
  secret: string | undefined,
  now: Date,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const body = JSON.stringify(format === "slack" ? { text: slackText(message) } : cloudEvent(message));
  const time = String(Math.floor(now.getTime() / 1000));
  const type = format === "slack" ? "application/json" : "application/cloudevents+json";
  const headers = { "content-type": `${type}; charset=utf-8`, "user-agent": "waymark" };
  return {
    body,
    headers: { ...headers, ...(secret === undefined ? {} : { "waymark-signature": sign(body, time, secret) }) },
  };
}

function sign(body: string, time: string, secret: string): string {
  return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;
}

function cloudEvent({ event, id, at, project, stream, workflow, step, link }: Message): object {
  const run = stream && (workflow === undefined ? stream.name : runLabel(stream, workflow));
  return {
    specversion: "1.0",
    id,
    source: `/projects/${encodeURIComponent(project)}`,
    type: `waymark.${event}`,
    time: at,
    ...defined({ subject: run }),
    datacontenttype: "application/json",
    data: { event, project, ...defined({ run, run_name: stream?.run, workflow, step, link }) },
  };
}

const texts: Readonly<Record<Message["event"], string>> = {
  waiting: "is waiting for approval",
  blocked: "is blocked and needs an answer",
  rejected: "was rejected",
  stuck: "was refused twice in a row",
  finished: "is finished",
  record_broken: "has a broken history: run waymark verify",
  test: "This is a test of waymark notify.",
};

function slackText({ event, project, stream, workflow, step, link }: Message): string {
  if (stream === undefined) return escapeSlack(`${project}: ${texts[event]}`);
  const at =
    workflow === undefined || step === undefined || event === "finished"
      ? ""
      : ` · ${stepLabel(stream, { workflow, step })}`;
  const said = escapeSlack(`${project}: ${streamName(stream)}${at} ${texts[event]}`);
  return link === undefined ? said : `${said} <${link}|Open the dashboard>`;
}

/** Slack reads these three characters as markup. */
function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
