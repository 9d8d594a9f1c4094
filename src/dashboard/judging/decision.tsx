import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type {
  AnswerTaken,
  JudgingData,
  PasskeyAnswer,
  StatementMade,
  StatementWanted,
} from "../../http/pages/page-data.ts";
import { signedBy } from "../passkey.ts";
import { tell } from "../server.ts";
import { Notice } from "../shared/frame.tsx";
import { Moment } from "../shared/moment.tsx";
import { OutsideText } from "../shared/outside-text.tsx";
import { needInWords } from "./need.ts";

type Decided = StatementWanted["decision"];

/** What is under way, or what it came to; one answer at a time. */
const state = signal<{ readonly busy: true } | AnswerTaken | { readonly problem: string } | undefined>(undefined);

/** Where a person answers, beside what they answer to. */
export function Decision({
  data,
  reload,
}: {
  readonly data: JudgingData;
  readonly reload: () => Promise<void>;
}): VNode {
  const comment = useRef<HTMLTextAreaElement>(null);
  const now = state.value;
  const taken = now !== undefined && "result" in now ? now : undefined;
  const decide = async (decision: Decided): Promise<void> => {
    const said = comment.current?.value.trim() ?? "";
    if (decision === "reject" && said === "") {
      state.value = { problem: "Say why: the reason is the first thing that the assistant reads." };
      comment.current?.focus();
      return;
    }
    state.value = { busy: true };
    state.value = await decided({ decision, digest: data.digest, ...(said === "" ? {} : { comment: said }) });
    await reload();
  };
  const isOpen = data.standing === "waits" && (taken === undefined || taken.result === "refused");
  const canAnswer = data.people.some(({ trusted }) => trusted);
  return (
    <aside class="card decision" aria-label="Your answer">
      <h2>Your answer</h2>
      <p>{needInWords(data.needs)}</p>
      <Given data={data} />
      {taken === undefined ? null : <Taken {...taken} />}
      {isOpen ? (
        <>
          <Whose people={data.people} />
          <label for="comment">
            Comment <span class="quiet">(of a no, the reason)</span>
          </label>
          <textarea id="comment" ref={comment} rows={3} maxLength={1500} />
          {now !== undefined && "problem" in now ? (
            <p class="problem" role="alert">
              {now.problem}
            </p>
          ) : null}
          <div class="buttons">
            <button
              type="button"
              class="primary"
              disabled={!canAnswer || (now !== undefined && "busy" in now)}
              onClick={() => decide("approve")}
            >
              Approve with passkey
            </button>
            <button
              type="button"
              disabled={!canAnswer || (now !== undefined && "busy" in now)}
              onClick={() => decide("reject")}
            >
              Reject with passkey
            </button>
          </div>
          <p class="quiet" role="status">
            {now !== undefined && "busy" in now ? "Answer on your device…" : ""}
          </p>
          <p class="quiet small">
            A yes is for this hand-in alone: its digest is <code class="digest">{data.digest.slice(0, 16)}</code>.
            Whatever changes needs another.
          </p>
        </>
      ) : null}
      {data.standing !== "waits" && taken === undefined ? <p>It waits for nobody any more.</p> : null}
    </aside>
  );
}

/** Has a statement made about what is shown, signed by the person's passkey, and sent. */
async function decided(wanted: StatementWanted): Promise<AnswerTaken | { readonly problem: string }> {
  const made = await tell<StatementMade>("statement", wanted);
  if ("no" in made) return { problem: made.no };
  const { nonce } = made.data;
  const signed = await signedBy(made.data);
  if ("problem" in signed) return signed;
  const answer: PasskeyAnswer = { nonce, ...signed };
  const taken = await tell<AnswerTaken>("answer", answer);
  return "no" in taken ? { problem: taken.no } : taken.data;
}

function Given({ data: { given, needs } }: { readonly data: JudgingData }): VNode | null {
  if (given.length === 0) return needs.count > 1 ? <p class="quiet">Nobody has agreed yet.</p> : null;
  return (
    <ul class="rows given" aria-label="Given so far">
      {given.map(({ name, at, comment }) => (
        <li key={name + at}>
          <strong>
            <OutsideText text={name} most={100} />
          </strong>{" "}
          agreed <Moment at={at} />
          {comment === undefined ? null : (
            <blockquote>
              <OutsideText text={comment} />
            </blockquote>
          )}
        </li>
      ))}
    </ul>
  );
}

function Whose({ people }: Pick<JudgingData, "people">): VNode | null {
  const trusted = people.filter((one) => one.trusted);
  if (trusted.length > 0) return null;
  const names = [...new Set(people.map(({ name }) => name))].join(", ");
  return (
    <Notice tone="warn" title="Nobody can answer here yet">
      {people.length === 0 ? (
        <p>
          No passkey of anybody whose word counts here is enrolled: <code>waymark approve --enroll NAME --passkey</code>
        </p>
      ) : (
        <p>
          The passkey of {names} is not trusted on this machine. Run <code>waymark trust</code> at a terminal, then come
          back.
        </p>
      )}
    </Notice>
  );
}

function Taken({ result, message }: AnswerTaken): VNode {
  switch (result) {
    case "completed":
      return <Said tone="good" title="Approved" message={message} />;
    case "recorded":
      return <Said tone="good" title="Your yes is on record" message={message} />;
    case "rejected":
      return <Said tone="plain" title="Rejected" message={message} />;
    case "refused":
      return <Said tone="bad" title="Not taken" message={message} />;
  }
}

function Said(given: {
  readonly tone: "good" | "plain" | "bad";
  readonly title: string;
  readonly message: string;
}): VNode {
  return (
    <Notice tone={given.tone} title={given.title}>
      <p>
        <OutsideText text={given.message} />
      </p>
      {given.tone === "bad" ? null : <p class="quiet">You can close this page.</p>}
    </Notice>
  );
}
