import { type Signal, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { DiffLine } from "../../overview/difference.ts";
import { Button } from "../shared/button.tsx";
import { UntrustedText } from "../shared/untrusted-text.tsx";

/** A person's comment on a line of a submitted file. */
export type LineComment = { readonly path: string; readonly line: number; readonly text: string };

/** The comments on lines so far, and the line that one is being written on. */
export type LineComments = {
  readonly all: Signal<readonly LineComment[]>;
  readonly writing: Signal<Pick<LineComment, "path" | "line"> | undefined>;
  /** They went with an answer. */
  readonly areSent: boolean;
};

/** Collects comments on lines; they go to the assistant with the answer, once: what is submitted next begins without them. */
export function useLineComments(areSent: boolean): LineComments {
  const all = useSignal<readonly LineComment[]>([]);
  const writing = useSignal<LineComments["writing"]["value"]>(undefined);
  const wereSent = useRef(false);
  if (wereSent.current && !areSent) all.value = [];
  wereSent.current = areSent;
  return { all, writing, areSent };
}

/** The text of an answer: the person's comment, then each comment on a line, with its file and line. */
export function withLineComments(said: string, comments: readonly LineComment[]): string {
  return [said, ...comments.map(({ path, line, text }) => `${path}:${line}: ${text}`)]
    .filter((part) => part !== "")
    .join("; ");
}

type Given = { readonly path: string; readonly comments: LineComments | undefined };

/** The number of a line; pressed, it takes a comment. */
export function LineNumber({ path, line: { after, before }, comments }: { readonly line: DiffLine } & Given): VNode {
  if (comments === undefined || comments.areSent || after === undefined) return <>{after ?? before}</>;
  return (
    <Button
      class="line-number"
      aria-label={`Add a note to line ${after}`}
      onClick={() => {
        comments.writing.value = { path, line: after };
      }}
    >
      {after}
    </Button>
  );
}

/** The comments on a line, and the form for one more. */
export function LineNotes({ path, line, comments }: { readonly line: number } & Given): VNode | null {
  if (comments === undefined) return null;
  const { all, writing } = comments;
  const own = all.value.filter((one) => one.path === path && one.line === line);
  const isWriting = writing.value?.path === path && writing.value.line === line;
  if (own.length === 0 && !isWriting) return null;
  return (
    <div class="line-notes">
      {own.map((one) => (
        <p key={one.text}>
          <UntrustedText text={one.text} />{" "}
          {comments.areSent ? null : (
            <Button
              kind="quiet"
              onClick={() => {
                all.value = all.value.filter((other) => other !== one);
              }}
            >
              Remove
            </Button>
          )}
        </p>
      ))}
      {isWriting ? <NoteForm path={path} line={line} comments={comments} /> : null}
    </div>
  );
}

function NoteForm(given: { readonly path: string; readonly line: number; readonly comments: LineComments }): VNode {
  const { path, line, comments } = given;
  const text = useRef<HTMLTextAreaElement | null>(null);
  const close = (): void => {
    comments.writing.value = undefined;
  };
  const add = (): void => {
    const said = text.current?.value.trim() ?? "";
    if (said !== "") comments.all.value = [...comments.all.value, { path, line, text: said }];
    close();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <textarea
        ref={(element) => {
          text.current = element;
          element?.focus();
        }}
        aria-label={`Note on line ${line}`}
        rows={2}
        maxLength={500}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) add();
        }}
      />
      <div class="buttons">
        <Button type="submit">Add note</Button>
        <Button kind="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
