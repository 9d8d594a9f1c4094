import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import * as z from "zod/v4";
import { parsedJson } from "../kit/json.ts";

/** The facts sealed in a session id: any holder of the key can resume the session, and only they can create one. */
export type SessionFacts = {
  /** The connection's name in the history. */
  readonly connection: string;
  /** The owner and the project. */
  readonly principal: string;
  readonly project: string;
  /** The client's `initialize` parameters. */
  readonly initialize: Initialize;
};

/** The parts of `initialize` that the server uses, because the id travels with every call. */
const initialize = z.object({
  protocolVersion: z.string().max(40),
  capabilities: z.object({
    elicitation: z.object({ form: z.object({}).optional(), url: z.object({}).optional() }).optional(),
  }),
  clientInfo: z.object({
    name: z.string().transform((name) => name.slice(0, 120)),
    version: z.string().transform((version) => version.slice(0, 60)),
  }),
});

export type Initialize = z.output<typeof initialize>;

const facts = z.object({ connection: z.string(), principal: z.string(), project: z.string(), initialize });

/** Parses the parameters of an `initialize`, or returns undefined. */
export function initializeOf(message: unknown): Initialize | undefined {
  return z.object({ method: z.literal("initialize"), params: initialize }).safeParse(message).data?.params;
}

/** Creates the id of a new session. */
export function newSession(key: Buffer, about: Omit<SessionFacts, "connection">): { id: string; facts: SessionFacts } {
  const made = { connection: randomUUID(), ...about };
  const body = Buffer.from(JSON.stringify(made)).toString("base64url");
  return { id: `${body}.${seal(key, body).toString("base64url")}`, facts: made };
}

/** Opens an id sealed with this key, or returns undefined. */
export function readSession(key: Buffer, id: string): SessionFacts | undefined {
  const [body = "", mark = "", ...more] = id.slice(0, longest).split(".");
  const given = Buffer.from(mark, "base64url");
  const right = seal(key, body);
  if (more.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  return facts.safeParse(parsedJson(Buffer.from(body, "base64url").toString("utf8"))).data;
}

const longest = 8000;

function seal(key: Buffer, body: string): Buffer {
  return createHmac("sha256", key).update("waymark session 1\n").update(body).digest();
}
