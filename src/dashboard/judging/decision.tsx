import { useSignal } from "@preact/signals";
import { type ComponentChildren, Fragment, type VNode } from "preact";
import { useRef } from "preact/hooks";
import type {
  AnswerTaken,
  JudgingData,
  PasskeyAnswer,
  StatementMade,
  StatementWanted,
} from "../../http/pages/page-data.ts";
import { useKeys } from "../board/keys.ts";
import { signedBy } from "../passkey.ts";
import type { Answered } from "../server.ts";
import { Notice } from "../shared/frame.tsx";
import { Moment } from "../shared/moment.tsx";
import { OutsideText } from "../shared/outside-text.tsx";
import { needInWords } from "./need.ts";

type Decided = StatementWanted["decision"];

/** What answering needs besides the hand-in: a way to the server, a way to look again, and what to do afterwards. */
export type Answering = {
  readonly send: <T>(what: "statement" | "answer", data: object) => Promise<Answered<T>>;
  /** Looks again; says whether an answer was taken. */
  readonly reload: (isTaken: boolean) => Promise<void>;
  /** Why nobody answers here, where that is so. */
  readonly shut?: string;
  readonly next?: ComponentChildren;
};

/** What an answer to the hand-in with this digest came to. */
export type Came = Pick<AnswerTaken, "result"> & { readonly digest: string };

/** What is under way, or what it came to, of the hand-in with this digest; one answer at a time. */
type State = { readonly digest: string } & ({ readonly busy: true } | AnswerTaken | { readonly problem: string });

/** Where a person answers, beside what they answer to. */
export function Decision({
  data,
  send,
  reload,
  shut,
  next,
  came: tellCame,
}: { readonly data: JudgingData; readonly came: (came: Came) => void } & Answering): VNode {
  const comment = useRef<HTMLTextAreaElement>(null);
  const state = useSignal<State | undefined>(undefined);
  const { digest } = data;
  // An answer is about what was shown: to what was handed in since, nobody has said anything.
  const now = state.value?.digest === digest || digest === "" ? state.value : undefined;
  const taken = now !== undefined && "result" in now ? now : undefined;
  const isBusy = now !== undefined && "busy" in now;
  const decide = async (decision: Decided): Promise<void> => {
    const said = comment.current?.value.trim() ?? "";
    if (decision === "reject" && said === "") {
      state.value = { digest, problem: "Say why: the reason is the first thing that the assistant reads." };
      comment.current?.focus();
      return;
    }
    state.value = { digest, busy: true };
    const came = await decided(send, { decision, digest, ...(said === "" ? {} : { comment: said }) });
    state.value = { digest, ...came };
    if ("result" in came) tellCame({ digest, result: came.result });
    await reload("result" in came && came.result !== "refused");
  };
  const isOpen = data.standing === "waits" && (taken === undefined || taken.result === "refused");
  const canAnswer = shut === undefined && data.people.some(({ trusted }) => trusted);
  useKeys(
    isOpen && canAnswer
      ? [
          { keys: "a", words: "approve with your passkey", act: () => void decide("approve") },
          { keys: "r", words: "reject: say why, then again", act: () => void decide("reject") },
        ]
      : [],
    isOpen && canAnswer,
    digest,
  );
  return (
    <aside class="card decision" aria-label="Your answer">
      <h2>Your answer</h2>
      <p>{needInWords(data.needs)}</p>
      <Given data={data} />
      {taken === undefined ? null : <Taken taken={taken} next={next} />}
      {isOpen && shut !== undefined ? <p class="quiet">{shut}</p> : null}
      {isOpen && shut === undefined && isElsewhere(data) ? <Elsewhere /> : null}
      {isOpen && shut === undefined && !isElsewhere(data) ? (
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
            <button type="button" class="primary" disabled={!canAnswer || isBusy} onClick={() => decide("approve")}>
              Approve with passkey
            </button>
            <button type="button" disabled={!canAnswer || isBusy} onClick={() => decide("reject")}>
              Reject with passkey
            </button>
          </div>
          <p class="quiet" role="status">
            {isBusy ? "Answer on your device…" : ""}
          </p>
          <p class="quiet small">
            A yes is for this hand-in alone: its digest is <code class="digest">{digest.slice(0, 16)}</code>. Whatever
            changes needs another.
          </p>
        </>
      ) : null}
      {data.standing !== "waits" && taken === undefined ? (
        <>
          <p>It waits for nobody any more.</p>
          {next}
        </>
      ) : null}
    </aside>
  );
}

/** Has a statement made about what is shown, signed by the person's passkey, and sent. */
async function decided(
  send: Answering["send"],
  wanted: StatementWanted,
): Promise<AnswerTaken | { readonly problem: string }> {
  const made = await send<StatementMade>("statement", wanted);
  if ("no" in made) return { problem: made.no };
  const { nonce } = made.data;
  const signed = await signedBy(made.data);
  if ("problem" in signed) return signed;
  const answer: PasskeyAnswer = { nonce, ...signed };
  const taken = await send<AnswerTaken>("answer", answer);
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

/** Whether the word is given where the assistant works: nobody has a passkey, and none is asked for. */
function isElsewhere({ needs, people }: JudgingData): boolean {
  return needs.level !== "proven" && people.length === 0;
}

function Elsewhere(): VNode {
  return (
    <>
      <p>
        Say so in the assistant's window, or with <code>waymark approve</code> at a terminal: your word counts there.
      </p>
      <p class="quiet">To answer here, beside what you judge, make a passkey:</p>
      <Enrol />
    </>
  );
}

/** A command to be copied: it is broken between its words, and never inside one. */
function Enrol(): VNode {
  return (
    <p>
      <code class="command">
        {["waymark", "approve", "--enroll", "NAME", "--passkey"].map((word, at) => (
          <Fragment key={word}>
            {at === 0 ? "" : " "}
            <span>{word}</span>
          </Fragment>
        ))}
      </code>
    </p>
  );
}

function Whose({ people }: Pick<JudgingData, "people">): VNode | null {
  const trusted = people.filter((one) => one.trusted);
  if (trusted.length > 0) return null;
  const names = [...new Set(people.map(({ name }) => name))].join(", ");
  return (
    <Notice tone="warn" title="Nobody can answer here yet">
      {people.length === 0 ? (
        <>
          <p>
            No passkey of anybody whose word counts here is enrolled. With another key they answer at a terminal:{" "}
            <code>waymark approve</code>. For a passkey:
          </p>
          <Enrol />
        </>
      ) : (
        <p>
          The passkey of {names} is not trusted on this machine. Run <code>waymark trust</code> at a terminal, then come
          back.
        </p>
      )}
    </Notice>
  );
}

const takenTitles = {
  completed: { tone: "good", title: "Approved" },
  recorded: { tone: "good", title: "Your yes is on record" },
  rejected: { tone: "plain", title: "Rejected" },
  refused: { tone: "bad", title: "Not taken" },
} as const;

function Taken({ taken, next }: { readonly taken: AnswerTaken; readonly next: ComponentChildren }): VNode {
  const { tone, title } = takenTitles[taken.result];
  return (
    <Notice tone={tone} title={title}>
      <p>
        <OutsideText text={taken.message} />
      </p>
      {tone === "bad" ? null : (next ?? <p class="quiet">You can close this page.</p>)}
    </Notice>
  );
}
