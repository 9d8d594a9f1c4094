import { randomBytes } from "node:crypto";
import * as z from "zod/v4";
import type { Approver } from "../../people/approver.ts";
import { type PasskeyAsked, passkeyAlgorithms, passkeyOf } from "../../people/enrol-passkey.ts";
import { refusal } from "../refusal.ts";
import type { Enrolled, EnrolmentOptions } from "./page-data.ts";
import type { Matter } from "./pages.ts";

/** What making a passkey for somebody needs. */
export type EnrollingParts = {
  readonly name: string;
  /** The folder of the project, by its name. */
  readonly project: string;
  /** Passkeys that this person has here already, by their ids. */
  readonly known: readonly string[];
  readonly clock: () => Date;
  /** Names the key among the approvers; says what keeps it from that. */
  keep(approver: Approver): Promise<string | undefined>;
};

/** A page on which a passkey is made for one person. */
export function enrolling({ name, project, known, clock, keep }: EnrollingParts): Matter {
  let asked: PasskeyAsked | undefined;
  return {
    show: async () => ({ kind: "enrolment", project, name }),
    acts: {
      options: async (_, { origin, rpId }) => {
        const challenge = randomBytes(32).toString("base64url");
        asked = { challenge, origin, rpId };
        // A name of its own for each: a device would put a second passkey of one name in place of the first.
        const userId = randomBytes(16).toString("base64url");
        return { challenge, rpId, userId, name, algorithms: passkeyAlgorithms, known } satisfies EnrolmentOptions;
      },
      enrol: async (data) => {
        const made = madeForm.safeParse(data).data;
        const wanted = asked;
        asked = undefined; // it counts once
        if (made === undefined || wanted === undefined)
          return refusal(400, "invalid_input", "No passkey was asked for. Try again.");
        const approver = await passkeyOf(made, wanted, { name, now: clock() });
        if ("problem" in approver)
          return refusal(400, "invalid_input", `The passkey was not taken: ${approver.problem}.`);
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
