import { type NoticeEvent, type NotifyTarget, noticeEvents } from "../engine/ports/notice-queue.ts";
import { defined } from "../kit/defined.ts";
import { isObject } from "../kit/json.ts";

/** The form of `notify`, for messages. */
export const notifyForm = `[{"url" or "url_env", "events"?, "secret_env"?, "format"?: "cloudevents" or "slack"}], with http or https addresses`;

const mostTargets = 20;

/** Parses `notify` of the settings or the projects file; undefined if it is invalid. */
export function readTargets(written: unknown): readonly NotifyTarget[] | undefined {
  if (!Array.isArray(written) || written.length > mostTargets) return undefined;
  const targets = written.map(readTarget);
  return targets.every((target) => target !== undefined) ? targets : undefined;
}

function readTarget(written: unknown): NotifyTarget | undefined {
  if (!isObject(written)) return undefined;
  const { url, url_env: urlEnv, secret_env: secretEnv, format = "cloudevents", events, ...others } = written;
  if (Object.keys(others).length > 0 || (url === undefined) === (urlEnv === undefined)) return undefined;
  if (url !== undefined && !(typeof url === "string" && isWebAddress(url))) return undefined;
  if (!isVariable(urlEnv) || !isVariable(secretEnv)) return undefined;
  if (format !== "cloudevents" && format !== "slack") return undefined;
  if (events !== undefined && !(Array.isArray(events) && events.length > 0 && events.every(isNoticeEvent)))
    return undefined;
  return { format, ...defined({ url, urlEnv, secretEnv, events }) };
}

function isVariable(name: unknown): name is string | undefined {
  return name === undefined || (typeof name === "string" && /^[A-Za-z_]\w{0,100}$/.test(name));
}

function isNoticeEvent(name: unknown): name is NoticeEvent {
  return noticeEvents.some((event) => event === name);
}

/** Tells if a text is an http address without a user or password, which would end up in logs. */
export function isWebAddress(text: string): boolean {
  const url = text.length <= 2000 && URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}
