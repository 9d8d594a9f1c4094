import * as z from "zod/v4";
import { defined } from "../../kit/defined.ts";
import { isObject, type JsonObject, parsedJson } from "../../kit/json.ts";
import { predicateType, statementType } from "./attestation-statement.ts";
import { type Envelope, payloadType } from "./envelope.ts";

/** A parsed attestation and, if it is signed, its envelope; nothing in it is trusted yet. */
export type ParsedAttestation = { readonly statement: ParsedStatement; readonly envelope?: Envelope };

/** Reads a DSSE envelope, a signing service's bundle that holds one, or a bare statement; returns the problem otherwise. */
export function readAttestation(text: string): ParsedAttestation | { readonly problem: string } {
  const value = parsedJson(text);
  if (value === undefined) return { problem: "it is not JSON" };
  const bundle = bundleForm.safeParse(value);
  const found = envelopeForm.safeParse(bundle.success ? bundle.data.dsseEnvelope : value);
  const envelope = found.success ? found.data : undefined;
  if (envelope !== undefined && envelope.payloadType !== payloadType)
    return { problem: `its envelope holds ${envelope.payloadType}, not ${payloadType}` };
  const stated = envelope === undefined ? value : parsedJson(Buffer.from(envelope.payload, "base64").toString("utf8"));
  const statement = statementForm.safeParse(stated);
  if (!statement.success) {
    const [issue] = statement.error.issues;
    return { problem: `it is not a Waymark statement: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}` };
  }
  return { statement: statement.data, ...defined({ envelope }) };
}

const envelopeForm = z.object({
  payloadType: z.string(),
  payload: z.string(),
  signatures: z.array(z.object({ keyid: z.string().optional(), sig: z.string() })),
});

const bundleForm = z.object({ dsseEnvelope: z.unknown() });

const object = z.custom<JsonObject>(isObject, "it is not an object");

/** The parts of a walk needed to find it in a history; the whole of it is compared. */
const walkForm = object.transform((whole, context) => {
  const found = walkParts.safeParse(whole);
  if (found.success) return { ...found.data, whole };
  context.addIssue({ code: "custom", message: "it does not describe a run" });
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

type ParsedStatement = z.infer<typeof statementForm>;

/** A walk as an attestation states it. */
export type ParsedWalk = z.infer<typeof walkForm>;
