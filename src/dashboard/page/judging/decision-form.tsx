import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import { countText } from "../../../kit/count-text.ts";
import type {
  AnswerReceipt,
  AnswerResult,
  PasskeyAnswer,
  ResponseRequest,
  ReviewData,
  StatementRequest,
  StatementToSign,
} from "../../api/pages/page-data.ts";
import type { Answer } from "../api-client.ts";
import { useKeys } from "../board/shortcuts.ts";
import { signWithPasskey } from "../passkey.ts";
import { Button } from "../shared/button.tsx";
import { TimeAgo } from "../shared/clock.tsx";
import { Command, Copy } from "../shared/copy.tsx";
import { dateText } from "../shared/date-text.ts";
import { Notice } from "../shared/frame.tsx";
import { UntrustedText } from "../shared/untrusted-text.tsx";
import { approvalNeedText } from "./approval-need.ts";
import { type LineComments, withLineComments } from "./line-comments.tsx";

type DecisionKind = StatementRequest["decision"];

/** The actions of the page's server. */
export type PageAction = "statement" | "answer" | "respond";

/** The callbacks that answering needs besides the submission. */
export type AnswerCallbacks = {
  readonly send: <T>(what: PageAction, data: object) => Promise<Answer<T>>;
  /** Loads the data again; `isTaken` tells if an answer was accepted. */
  readonly reload: (isTaken: boolean) => Promise<void>;
  /** The reason why answering is not possible here. */
  readonly viewOnlyReason?: string;
  readonly next?: ComponentChildren;
};

/** The result of answering the submission with this digest. */
export type GivenAnswer = Pick<AnswerResult, "result"> & { readonly digest: string };

/** The progress or result of answering the submission with this digest. */
type AnswerState = { readonly digest: string } & (
  | { readonly busy: true }
  | AnswerResult
  | { readonly problem: string }
);

/** The form in which a person answers. */
export function Decision({
  data,
  send,
  reload,
  viewOnlyReason,
  next,
  came: tellCame,
  comments,
}: {
  readonly data: ReviewData;
  readonly came: (came: GivenAnswer) => void;
  readonly comments: LineComments;
} & AnswerCallbacks): VNode {
  const comment = useRef<HTMLTextAreaElement>(null);
  const state = useSignal<AnswerState | undefined>(undefined);
  const { digest } = data;
  // An answer covers what was shown, not what was submitted since.
  const now = state.value?.digest === digest || digest === "" ? state.value : undefined;
  const taken = now !== undefined && "result" in now ? now : undefined;
  const isBusy = now !== undefined && "busy" in now;
  const decide = async (decision: DecisionKind): Promise<void> => {
    const said = withLineComments(comment.current?.value.trim() ?? "", comments.all.value);
    const problem =
      decision === "reject" && said === ""
        ? "Add a reason: it is the first thing the assistant reads."
        : said.length > longestComment
          ? `Your comments have ${said.length.toLocaleString("en")} characters together; at most ${longestComment.toLocaleString("en")} reach the assistant. Shorten them.`
          : undefined;
    if (problem !== undefined) {
      state.value = { digest, problem };
      comment.current?.focus();
      return;
    }
    state.value = { digest, busy: true };
    const came = await submitAnswer(send, { decision, digest, ...(said === "" ? {} : { comment: said }) });
    state.value = { digest, ...came };
    if ("result" in came) tellCame({ digest, result: came.result });
    await reload("result" in came && came.result !== "refused");
  };
  const isOpen = data.standing === "waits" && (taken === undefined || taken.result === "refused");
  const canAnswer = viewOnlyReason === undefined && data.people.some(({ trusted }) => trusted);
  useKeys(
    isOpen && canAnswer
      ? [
          { keys: "a", words: "approve with your passkey", act: () => void decide("approve") },
          { keys: "r", words: "reject (needs a comment)", act: () => void decide("reject") },
        ]
      : [],
    isOpen && canAnswer,
    digest,
  );
  return (
    <aside class="card decision" aria-label="Your answer">
      <h2>Your answer</h2>
      {taken === undefined || taken.result === "refused" || taken.result === "recorded" ? (
        <p>{approvalNeedText(data.needs)}</p>
      ) : null}
      <GivenApprovals data={data} />
      {taken === undefined ? null : <AnswerNotice taken={taken} next={next} />}
      {isOpen && viewOnlyReason !== undefined ? <p class="quiet">{viewOnlyReason}</p> : null}
      {isOpen && viewOnlyReason === undefined && isAnsweredElsewhere(data) ? <AnswerElsewhere /> : null}
      {isOpen && viewOnlyReason === undefined && !isAnsweredElsewhere(data) ? (
        <>
          <MissingPasskeys people={data.people} />
          <label for="comment">
            Comment <span class="quiet">(required to reject)</span>
          </label>
          <textarea id="comment" ref={comment} rows={3} maxLength={longestComment} />
          <LineCommentCount comments={comments} />
          {now !== undefined && "problem" in now ? (
            <p class="problem" role="alert">
              {now.problem}
            </p>
          ) : null}
          <div class="buttons">
            <Button kind="primary" disabled={!canAnswer || isBusy} onClick={() => decide("approve")}>
              Approve with passkey
            </Button>
            <Button disabled={!canAnswer || isBusy} onClick={() => decide("reject")}>
              Reject with passkey
            </Button>
          </div>
          <p class="quiet" role="status">
            {isBusy ? "Confirm on your device…" : ""}
          </p>
          <p class="quiet small">
            Your approval covers only this submission, digest <code class="digest">{digest.slice(0, 16)}</code>. Any
            change needs a new approval.
          </p>
        </>
      ) : null}
      {data.standing !== "waits" && taken === undefined ? (
        <>
          <p>Already answered.</p>
          {next}
        </>
      ) : null}
    </aside>
  );
}

/** The longest comment that an answer takes. */
const longestComment = 1500;

/** Says how many comments on lines go with the answer. */
function LineCommentCount({ comments: { all } }: { readonly comments: LineComments }): VNode | null {
  const count = all.value.length;
  if (count === 0) return null;
  return <p class="small">{countText(count, "note")} on lines will be sent with your answer.</p>;
}

/** Requests a statement, has the person's passkey sign it, and sends the answer. */
export async function submitAnswer(
  send: AnswerCallbacks["send"],
  wanted: StatementRequest | ResponseRequest,
): Promise<AnswerResult | { readonly problem: string }> {
  const made = await send<StatementToSign>("statement", wanted);
  if ("no" in made) return { problem: made.no };
  const { nonce } = made.data;
  const signed = await signWithPasskey(made.data);
  if ("problem" in signed) return signed;
  const answer: PasskeyAnswer = { nonce, ...signed };
  const taken = await send<AnswerResult>("answer", answer);
  return "no" in taken ? { problem: taken.no } : taken.data;
}

function GivenApprovals({ data: { given, needs } }: { readonly data: ReviewData }): VNode | null {
  if (given.length === 0) return needs.count > 1 ? <p class="quiet">No approvals yet.</p> : null;
  return (
    <ul class="rows given" aria-label="Approvals so far">
      {given.map(({ name, at, comment }) => (
        <li key={name + at}>
          <strong>
            <UntrustedText text={name} most={100} />
          </strong>{" "}
          approved <TimeAgo at={at} />
          {comment === undefined ? null : (
            <blockquote>
              <UntrustedText text={comment} />
            </blockquote>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Tells if the approval is given elsewhere: no passkey is enrolled and none is required. */
function isAnsweredElsewhere({ needs, people }: ReviewData): boolean {
  return needs.level !== "proven" && people.length === 0;
}

function AnswerElsewhere(): VNode {
  return (
    <>
      <p>
        Answer in the assistant's window, or with <code>waymark approve</code> at a terminal.
      </p>
      <p class="quiet">To answer here, create a passkey:</p>
      <EnrolCommand />
    </>
  );
}

const enrolCommand = "waymark approve --enroll NAME --passkey";

function EnrolCommand(): VNode {
  return (
    <p>
      <Command text={enrolCommand} /> <Copy text={enrolCommand} what="the command" />
    </p>
  );
}

/** Says how to get a passkey, if none is trusted here. */
export function MissingPasskeys({ people }: Pick<ReviewData, "people">): VNode | null {
  const trusted = people.filter((one) => one.trusted);
  if (trusted.length > 0) return null;
  const names = [...new Set(people.map(({ name }) => name))];
  return (
    <Notice tone="warn" title="No one can answer here yet">
      {people.length === 0 ? (
        <>
          <p>
            No approver has enrolled a passkey. With another key, answer at a terminal: <code>waymark approve</code>. To
            create a passkey:
          </p>
          <EnrolCommand />
        </>
      ) : (
        <p>
          {names.length === 1 ? "The passkey" : "The passkeys"} of {names.join(" and ")}{" "}
          {names.length === 1 ? "is" : "are"} not trusted on this machine. Run <code>waymark trust</code> at a terminal,
          then come back.
        </p>
      )}
    </Notice>
  );
}

const resultTitles = {
  completed: { tone: "good", title: "Approved" },
  recorded: { tone: "good", title: "Your approval is recorded" },
  rejected: { tone: "plain", title: "Rejected" },
  responded: { tone: "good", title: "Recorded" },
  refused: { tone: "bad", title: "Not accepted" },
} as const;

/** The person who answered, how and when, and the record of it. */
function Receipt({ receipt: { by, how, at, record, head } }: { readonly receipt: AnswerReceipt }): VNode {
  return (
    <p class="small">
      <UntrustedText text={by} most={100} /> {how}, {dateText(at)}: record {record} <code class="digest">{head}</code>
    </p>
  );
}

/** Says what came of an answer. */
export function AnswerNotice({
  taken,
  next,
}: {
  readonly taken: AnswerResult;
  readonly next: ComponentChildren;
}): VNode {
  const { tone, title } = resultTitles[taken.result];
  return (
    <Notice tone={tone} title={title}>
      <p>
        <UntrustedText text={taken.message} />
      </p>
      {taken.receipt === undefined ? null : <Receipt receipt={taken.receipt} />}
      {taken.prompt === undefined ? null : (
        <div class="prompt">
          <p class="quiet small">Waiting for the assistant. If it has stopped, tell it:</p>
          <p>
            <UntrustedText text={taken.prompt} most={400} /> <Copy text={taken.prompt} what="the prompt" />
          </p>
        </div>
      )}
      {tone === "bad" ? null : (next ?? <p class="quiet">You can close this page.</p>)}
    </Notice>
  );
}
