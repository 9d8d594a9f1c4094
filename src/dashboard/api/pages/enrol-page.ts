import { randomBytes } from "node:crypto";
import * as z from "zod/v4";
import { refusal } from "../../../http/refusal-response.ts";
import type { Approver } from "../../../people/approver.ts";
import { enrolPasskey, type PasskeyRequest, passkeyAlgorithms } from "../../../people/enrol-passkey.ts";
import type { Enrolled, EnrolmentOptions } from "./page-data.ts";
import type { PageHandler } from "./pages.ts";

/** The dependencies of creating a passkey. */
export type EnrolPageDeps = {
  readonly name: string;
  /** The name of the project folder. */
  readonly project: string;
  /** The ids of this person's existing passkeys. */
  readonly known: readonly string[];
  readonly clock: () => Date;
  /** Adds the key to the approvers; returns the reason if that fails. */
  keep(approver: Approver): Promise<string | undefined>;
};

/** Builds a page where one person creates a passkey. */
export function enrolPage({ name, project, known, clock, keep }: EnrolPageDeps): PageHandler {
  let asked: PasskeyRequest | undefined;
  return {
    data: async () => ({ kind: "enrolment", project, name }),
    actions: {
      options: async (_, { origin, rpId }) => {
        const challenge = randomBytes(32).toString("base64url");
        asked = { challenge, origin, rpId };
        // Each gets its own user id: a device would replace a passkey with the same one.
        const userId = randomBytes(16).toString("base64url");
        return { challenge, rpId, userId, name, algorithms: passkeyAlgorithms, known } satisfies EnrolmentOptions;
      },
      enrol: async (data) => {
        const made = madeForm.safeParse(data).data;
        const wanted = asked;
        asked = undefined; // valid once
        if (made === undefined || wanted === undefined)
          return refusal(400, "invalid_input", "No passkey was requested. Try again.");
        const approver = await enrolPasskey(made, wanted, { name, now: clock() });
        if ("problem" in approver)
          return refusal(400, "invalid_input", `The passkey was not accepted: ${approver.problem}.`);
        const problem = await keep(approver);
        if (problem !== undefined) return refusal(409, "conflict", problem);
        return { name, key: approver.key } satisfies Enrolled;
      },
    },
  };
}

const binary = z.string().regex(/^[\w-]{1,60000}$/);

const madeForm = z.object({
  id: binary,
  rawId: binary,
  type: z.literal("public-key"),
  response: z.object({ clientDataJSON: binary, attestationObject: binary }),
});
