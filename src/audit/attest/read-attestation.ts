import * as z from "zod/v4";
import { isObject, type JsonObject } from "../../evidence/json.ts";
import { type Envelope, payloadType } from "./envelope.ts";
import { predicateType, statementType } from "./statement.ts";

/** An attestation as it is read back: what it states, and the envelope, where it is signed. Nothing of it is believed yet. */
export type AttestationRead = { readonly statement: StatementRead; readonly envelope?: Envelope };

/** Reads a DSSE envelope, the bundle of a signing service with one in it, or a bare statement; or says why it is none. */
export function readAttestation(text: string): AttestationRead | { readonly problem: string } {
  const value = parseText(text);
  if (value === undefined) return { problem: "it is no JSON" };
  const bundle = bundleForm.safeParse(value);
  const found = envelopeForm.safeParse(bundle.success ? bundle.data.dsseEnvelope : value);
  const envelope = found.success ? found.data : undefined;
  if (envelope !== undefined && envelope.payloadType !== payloadType)
    return { problem: `its envelope holds ${envelope.payloadType}, not ${payloadType}` };
  const stated = envelope === undefined ? value : parseText(Buffer.from(envelope.payload, "base64").toString("utf8"));
  const statement = statementForm.safeParse(stated);
  if (!statement.success) {
    const [issue] = statement.error.issues;
    return { problem: `it is no statement of Waymark: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}` };
  }
  return { statement: statement.data, ...(envelope === undefined ? {} : { envelope }) };
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const envelopeForm = z.object({
  payloadType: z.string(),
  payload: z.string(),
  signatures: z.array(z.object({ keyid: z.string().optional(), sig: z.string() })),
});

const bundleForm = z.object({ dsseEnvelope: z.unknown() });

const object = z.custom<JsonObject>(isObject, "it is no object");

/** As much of a walk as must be understood to find it in a history; all of it is compared. */
const walkForm = object.transform((whole, context) => {
  const found = walkParts.safeParse(whole);
  if (found.success) return { ...found.data, whole };
  context.addIssue({ code: "custom", message: "it tells of no walk" });
  return z.NEVER;
});

const walkParts = z.object({
  desk: z.object({ kind: z.enum(["bot", "session"]), name: z.string(), run: z.string().optional() }),
  history: z.object({ first: z.string(), head: z.string(), seq: z.number() }),
  workflow: z.string(),
  pass: z.number(),
  steps: z.array(object),
});

const statementForm = z.object({
  _type: z.literal(statementType),
  subject: z.array(z.object({ name: z.string(), digest: z.object({ sha256: z.string() }) })).min(1),
  predicateType: z.literal(predicateType),
  predicate: z.object({ exported_at: z.string(), walks: z.array(walkForm).min(1) }),
});

type StatementRead = z.infer<typeof statementForm>;

/** A walk as an attestation tells of it. */
export type WalkRead = z.infer<typeof walkForm>;
