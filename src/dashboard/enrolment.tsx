import { signal } from "@preact/signals";
import type { VNode } from "preact";
import type { Enrolled, EnrolmentData, EnrolmentOptions } from "../http/pages/page-data.ts";
import { madeFor } from "./passkey.ts";
import { tell } from "./server.ts";
import { Notice } from "./shared/frame.tsx";
import { OutsideText } from "./shared/outside-text.tsx";

const state = signal<{ readonly busy: true } | Enrolled | { readonly problem: string } | undefined>(undefined);

/** Makes a passkey for somebody who is to approve here. */
export function Enrolment({ data: { name, project } }: { readonly data: EnrolmentData }): VNode {
  const now = state.value;
  const enrol = async (): Promise<void> => {
    state.value = { busy: true };
    state.value = await enrolled();
  };
  return (
    <section class="card narrow">
      <h1>
        A passkey for <OutsideText text={name} most={100} />
      </h1>
      {now !== undefined && "key" in now ? (
        <Notice tone="good" title="Enrolled">
          <p>
            The key <code class="digest">{now.key}</code> stands in <code>approvers.json</code>, beside the definitions.
          </p>
          <p>
            It counts on a machine once a person has trusted it there, at a terminal: <code>waymark trust</code>. You
            can close this page.
          </p>
        </Notice>
      ) : (
        <>
          <p>
            With it {name} approves hand-ins of <OutsideText text={project} most={100} />. The private part stays in
            your device; the public part goes to <code>approvers.json</code>, for everybody to check against.
          </p>
          {now !== undefined && "problem" in now ? (
            <p class="problem" role="alert">
              {now.problem}
            </p>
          ) : null}
          <div class="buttons">
            <button type="button" class="primary" disabled={now !== undefined && "busy" in now} onClick={enrol}>
              Make a passkey
            </button>
          </div>
          <p class="quiet" role="status">
            {now !== undefined && "busy" in now ? "Answer on your device…" : ""}
          </p>
        </>
      )}
    </section>
  );
}

async function enrolled(): Promise<Enrolled | { readonly problem: string }> {
  const options = await tell<EnrolmentOptions>("options", {});
  if ("no" in options) return { problem: options.no };
  const made = await madeFor(options.data);
  if ("problem" in made) return made;
  const answer = await tell<Enrolled>("enrol", made);
  return "no" in answer ? { problem: answer.no } : answer.data;
}
