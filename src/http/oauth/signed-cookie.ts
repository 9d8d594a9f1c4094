import { createHmac, timingSafeEqual } from "node:crypto";
import { type JsonObject, parsedObject } from "../../kit/json.ts";

/** A value that only servers with the key can make, until a time. */
export function signValue(key: Buffer, use: string, value: JsonObject, until: number): string {
  const body = Buffer.from(JSON.stringify({ ...value, until })).toString("base64url");
  return `${body}.${macOf(key, use, body).toString("base64url")}`;
}

/** Reads such a value; undefined if it is not one of ours for this use, or its time is over. */
export function readSigned(key: Buffer, use: string, text: string | undefined): JsonObject | undefined {
  const [body = "", mark = "", ...more] = (text ?? "").slice(0, 8000).split(".");
  const [given, right] = [Buffer.from(mark, "base64url"), macOf(key, use, body)];
  if (more.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const value = parsedObject(Buffer.from(body, "base64url").toString("utf8"));
  return value !== undefined && Number(value.until) > Date.now() ? value : undefined;
}

function macOf(key: Buffer, use: string, body: string): Buffer {
  return createHmac("sha256", key).update(`waymark ${use} 1\n`).update(body).digest();
}

/** The value of a cookie that a request carries. */
export function cookieOf({ headers }: Request, name: string): string | undefined {
  const all = (headers.get("cookie") ?? "").split(";").map((one) => one.trim());
  return all.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
}
