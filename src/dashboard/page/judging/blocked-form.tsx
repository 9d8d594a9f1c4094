import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import type { AnswerResult, ResponseRequest, ReviewData, ShownReport } from "../../api/pages/page-data.ts";
import { Button } from "../shared/button.tsx";
import { Command, Copy } from "../shared/copy.tsx";
import { UntrustedLine, UntrustedText } from "../shared/untrusted-text.tsx";
import {
  type AnswerCallbacks,
  AnswerNotice,
  type GivenAnswer,
  MissingPasskeys,
  submitAnswer,
} from "./decision-form.tsx";

type FormState = AnswerResult | { readonly problem: string } | { readonly busy: true };

/** The form in which a person answers a blocked step or waives what it requires. */
export function BlockedForm({
  data,
  report,
  send,
  reload,
  viewOnlyReason,
  next,
  came: tellCame,
}: {
  readonly data: ReviewData;
  readonly report: ShownReport;
  readonly came: (came: GivenAnswer) => void;
} & AnswerCallbacks): VNode {
  const text = useRef<HTMLTextAreaElement>(null);
  const waived = useSignal<readonly string[]>([]);
  const follows = useSignal("next");
  const state = useSignal<FormState | undefined>(undefined);
  const now = state.value;
  const taken = now !== undefined && "result" in now ? now : undefined;
  const isBusy = now !== undefined && "busy" in now;
  const isAnswered = taken !== undefined && taken.result !== "refused";
  const canSign = data.people.some(({ trusted }) => trusted);
  const respond = async (more: Omit<ResponseRequest, "text">): Promise<void> => {
    const said = text.current?.value.trim() ?? "";
    if (said === "") {
      state.value = { problem: "Write a text first: it is the first thing the assistant reads." };
      text.current?.focus();
      return;
    }
    state.value = { busy: true };
    const isSigned = more.fields === undefined ? report.signs.answer : report.signs.waive;
    const came = await sendResponse(send, { text: said, ...more }, isSigned);
    state.value = came;
    if ("result" in came && came.result !== "refused") tellCame({ digest: data.digest, result: came.result });
    await reload("result" in came && came.result !== "refused");
  };
  const isRouted = waived.value.some((name) => report.routed.includes(name));
  const mayAnswer = !isBusy && (!report.signs.answer || canSign);
  const mayWaive = !isBusy && waived.value.length > 0 && (!report.signs.waive || canSign);
  return (
    <aside class="card decision" aria-label="Your answer">
      <h2>Blocked</h2>
      <blockquote>
        <UntrustedText text={report.reason} />
      </blockquote>
      {taken === undefined ? null : <AnswerNotice taken={taken} next={next} />}
      {viewOnlyReason === undefined ? null : <p class="quiet">{viewOnlyReason}</p>}
      {viewOnlyReason !== undefined || isAnswered ? null : (
        <>
          {report.signs.answer ? <MissingPasskeys people={data.people} /> : null}
          <label for="response">Your answer, or the reason for waiving</label>
          <textarea id="response" ref={text} rows={4} maxLength={2000} />
          <Problem now={now} />
          <div class="buttons">
            {report.isAtBound ? (
              <>
                <Choice name="One more round" isPrimary may={mayAnswer} choose={() => respond({ follows: "again" })} />
                <Choice name="Go on" may={mayAnswer} choose={() => respond({ follows: "continue" })} />
              </>
            ) : (
              <Choice name="Answer" isPrimary may={mayAnswer} choose={() => respond({})} />
            )}
            {report.outcomes.map((ends) => (
              <Choice key={ends} name={`End as ${ends}`} may={mayAnswer} choose={() => respond({ ends })} />
            ))}
          </div>
          <Waivable names={report.waivable} chosen={waived.value} choose={(names) => (waived.value = names)} />
          {isRouted ? (
            <label>
              Then{" "}
              <select onChange={({ currentTarget }) => (follows.value = currentTarget.value)}>
                {report.continuations.map((one) => (
                  <option key={one} value={one}>
                    {one === "next" ? "the next step" : one}
                  </option>
                ))}
              </select>
            </label>
          ) : null}
          {report.waivable.length === 0 ? null : (
            <div class="buttons">
              <Choice
                name="Waive selected"
                may={mayWaive}
                choose={() => respond({ fields: waived.value, ...(isRouted ? { follows: follows.value } : {}) })}
              />
            </div>
          )}
        </>
      )}
      {isAnswered ? null : <Commands commands={report.commands} />}
    </aside>
  );
}

function Choice(given: {
  readonly name: string;
  readonly may: boolean;
  readonly isPrimary?: boolean;
  readonly choose: () => Promise<void>;
}): VNode {
  const { name, may, isPrimary = false, choose } = given;
  return (
    <Button kind={isPrimary ? "primary" : undefined} disabled={!may} onClick={() => void choose()}>
      {name}
    </Button>
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
          <Command text={command} /> <Copy text={command} what="the command" />
        </p>
      ))}
    </>
  );
}
