import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import type { AnswerResult, ResponseRequest, ReviewData, ShownReport } from "../../api/pages/page-data.ts";
import { UntrustedLine, UntrustedText } from "../shared/untrusted-text.tsx";
import { type AnswerCallbacks, AnswerNotice, MissingPasskeys, submitAnswer } from "./decision-form.tsx";

type FormState = AnswerResult | { readonly problem: string } | { readonly busy: true };

/** The form in which a person answers a blocked step or waives what it requires. */
export function BlockedForm({
  data,
  report,
  send,
  reload,
  viewOnlyReason,
  next,
}: { readonly data: ReviewData; readonly report: ShownReport } & AnswerCallbacks): VNode {
  const text = useRef<HTMLTextAreaElement>(null);
  const waived = useSignal<readonly string[]>([]);
  const state = useSignal<FormState | undefined>(undefined);
  const now = state.value;
  const taken = now !== undefined && "result" in now ? now : undefined;
  const isBusy = now !== undefined && "busy" in now;
  const canSign = data.people.some(({ trusted }) => trusted);
  const respond = async (isWaiver: boolean): Promise<void> => {
    const said = text.current?.value.trim() ?? "";
    if (said === "") {
      state.value = { problem: "Write a text first: it is the first thing the assistant reads." };
      text.current?.focus();
      return;
    }
    state.value = { busy: true };
    const given = isWaiver ? { text: said, fields: waived.value } : { text: said };
    const came = await sendResponse(send, given, isWaiver ? report.signs.waive : report.signs.answer);
    state.value = came;
    await reload("result" in came && came.result !== "refused");
  };
  return (
    <aside class="card decision" aria-label="Your answer">
      <h2>Blocked</h2>
      <blockquote>
        <UntrustedText text={report.reason} />
      </blockquote>
      {taken === undefined ? null : <AnswerNotice taken={taken} next={next} />}
      {viewOnlyReason === undefined ? null : <p class="quiet">{viewOnlyReason}</p>}
      {viewOnlyReason !== undefined || (taken !== undefined && taken.result !== "refused") ? null : (
        <>
          {report.signs.answer ? <MissingPasskeys people={data.people} /> : null}
          <label for="response">Your answer, or the reason for waiving</label>
          <textarea id="response" ref={text} rows={4} maxLength={2000} />
          <Problem now={now} />
          <div class="buttons">
            <button
              type="button"
              class="primary"
              disabled={isBusy || (report.signs.answer && !canSign)}
              onClick={() => void respond(false)}
            >
              Answer
            </button>
          </div>
          <Waivable names={report.waivable} chosen={waived.value} choose={(names) => (waived.value = names)} />
          {report.waivable.length === 0 ? null : (
            <div class="buttons">
              <button
                type="button"
                disabled={isBusy || waived.value.length === 0 || (report.signs.waive && !canSign)}
                onClick={() => void respond(true)}
              >
                Waive selected
              </button>
            </div>
          )}
        </>
      )}
      <Commands commands={report.commands} />
    </aside>
  );
}

/** Sends a response: signed with the person's passkey where that is needed. */
async function sendResponse(
  send: AnswerCallbacks["send"],
  given: ResponseRequest,
  isSigned: boolean,
): Promise<AnswerResult | { readonly problem: string }> {
  if (isSigned) return submitAnswer(send, given);
  const taken = await send<AnswerResult>("respond", given);
  return "no" in taken ? { problem: taken.no } : taken.data;
}

function Problem({ now }: { readonly now: FormState | undefined }): VNode | null {
  if (now === undefined || !("problem" in now)) return null;
  return (
    <p class="problem" role="alert">
      {now.problem}
    </p>
  );
}

function Waivable(given: {
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly choose: (names: readonly string[]) => void;
}): ComponentChildren {
  const { names, chosen, choose } = given;
  if (names.length === 0) return null;
  return (
    <fieldset class="waivable">
      <legend>Waive for this attempt</legend>
      {names.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={() => choose(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])}
          />{" "}
          <UntrustedLine text={name} most={100} />
        </label>
      ))}
    </fieldset>
  );
}

function Commands({ commands }: Pick<ShownReport, "commands">): VNode {
  return (
    <>
      <p class="quiet small">Or at a terminal:</p>
      {commands.map((command) => (
        <p key={command}>
          <code class="command">
            <UntrustedLine text={command} most={300} />
          </code>
        </p>
      ))}
    </>
  );
}
