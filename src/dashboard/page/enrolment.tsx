import { signal } from "@preact/signals";
import type { VNode } from "preact";
import type { Enrolled, EnrolmentData, EnrolmentOptions } from "../api/pages/page-data.ts";
import { postJson } from "./api-client.ts";
import { createPasskey } from "./passkey.ts";
import { Button } from "./shared/button.tsx";
import { Notice } from "./shared/frame.tsx";
import { UntrustedText } from "./shared/untrusted-text.tsx";

const state = signal<{ readonly busy: true } | Enrolled | { readonly problem: string } | undefined>(undefined);

/** Creates a passkey for a new approver. */
export function Enrolment({ data: { name, project } }: { readonly data: EnrolmentData }): VNode {
  const now = state.value;
  const enrol = async (): Promise<void> => {
    state.value = { busy: true };
    state.value = await enrolled();
  };
  return (
    <section class="card narrow">
      <h1>
        A passkey for <UntrustedText text={name} most={100} />
      </h1>
      {now !== undefined && "key" in now ? (
        <Notice tone="good" title="Enrolled">
          <p>
            The key <code class="digest">{now.key}</code> is in <code>approvers.json</code>, next to the definitions.
          </p>
          <p>
            It counts on a machine once a person trusts it there: <code>waymark trust</code>. You can close this page.
          </p>
        </Notice>
      ) : (
        <>
          <p>
            {name} uses it to approve submissions in <UntrustedText text={project} most={100} />. The private part stays
            on your device; the public part goes to <code>approvers.json</code>, so that anyone can verify it.
          </p>
          {now !== undefined && "problem" in now ? (
            <p class="problem" role="alert">
              {now.problem}
            </p>
          ) : null}
          <div class="buttons">
            <Button kind="primary" disabled={now !== undefined && "busy" in now} onClick={enrol}>
              Create passkey
            </Button>
          </div>
          <p class="quiet" role="status">
            {now !== undefined && "busy" in now ? "Confirm on your device…" : ""}
          </p>
        </>
      )}
    </section>
  );
}

async function enrolled(): Promise<Enrolled | { readonly problem: string }> {
  const options = await postJson<EnrolmentOptions>("options", {});
  if ("no" in options) return { problem: options.no };
  const made = await createPasskey(options.data);
  if ("problem" in made) return made;
  const answer = await postJson<Enrolled>("enrol", made);
  return "no" in answer ? { problem: answer.no } : answer.data;
}
