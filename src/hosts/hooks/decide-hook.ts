import type { OpenViewStep } from "../../workflow/open-view.ts";
import { card, outsideDenied, ownDenied, reminder, startLine } from "./card.ts";
import type { HookContext, HostSession, LocatedPath, OpenWork } from "./hook-context.ts";
import type { HookAnswer, HookEvent, HookHost, ToolUse } from "./hook-event.ts";
import { shellWrites } from "./shell/shell-writes.ts";
import { isToolOf, streamCalled } from "./stream-called.ts";

/** A hook's answer, and the changed session state to save. */
export type HookDecision = { readonly answer: HookAnswer; readonly session?: HostSession };

const nothing: HookAnswer = { kind: "nothing" };

/** Decides a hook's answer; a session that has not called Waymark only gets one line at its start. */
export async function decideHook(host: HookHost, occasion: HookEvent, around: HookContext): Promise<HookDecision> {
  const { session } = around;
  const own = ownWork(around);
  switch (occasion.kind) {
    case "start":
      if (session.desks.length === 0) return { answer: startLineHere(around) };
      return { answer: contextAnswer(card(own)), ...cardShown(session) };
    case "prompt":
      if (host === "opencode")
        return { answer: session.desks.length === 0 ? startLineHere(around) : contextAnswer(card(own)) };
      // Gemini CLI reports nothing after it has compressed its history.
      return session.works && (session.owed || host === "gemini")
        ? { answer: contextAnswer(card(own)), ...cardShown(session) }
        : { answer: nothing };
    case "compacting":
      if (host === "opencode") return { answer: session.works ? contextAnswer(card(own)) : nothing };
      return session.works && !session.owed && host !== "gemini"
        ? { answer: nothing, session: { ...session, owed: true } }
        : { answer: nothing };
    case "before":
      if (occasion.use.kind === "waymark") return { answer: nothing, ...recordCall(occasion.use, around) };
      return { answer: session.works ? await denyChange(occasion.use, own, around) : nothing };
    case "after": {
      const noted = occasion.use.kind === "waymark" ? recordCall(occasion.use, around) : {};
      const now = noted.session ?? session;
      return now.works && now.owed
        ? { answer: contextAnswer(card(ownWork({ ...around, session: now }))), ...cardShown(now) }
        : { answer: nothing, ...noted };
    }
    case "stop":
      return session.works && !occasion.again ? remindOnce(own, session) : { answer: nothing };
    case "other":
      return { answer: nothing };
  }
}

/** The open work that this session's own calls were about. */
function ownWork({ work, session: { desks: streams } }: HookContext): readonly OpenWork[] {
  return work.filter(({ key }) => streams.includes(key));
}

/** The line for a session without work of its own. */
function startLineHere({ work }: HookContext): HookAnswer {
  return contextAnswer(startLine(work.filter(({ isElsewhere }) => isElsewhere !== true)));
}

function contextAnswer(text: string): HookAnswer {
  return text === "" ? nothing : { kind: "context", text };
}

function cardShown(session: HostSession): Pick<HookDecision, "session"> {
  return session.owed ? { session: { ...session, owed: false } } : {};
}

/** Records that a session called Waymark, and the stream of that call. */
function recordCall(use: ToolUse & { kind: "waymark" }, around: HookContext): Pick<HookDecision, "session"> {
  const { session } = around;
  if (!use.isSure && !around.work.some(isToolOf(use.tool))) return {};
  const stream = streamCalled(use, around);
  const isNew = stream !== undefined && session.desks.at(-1) !== stream;
  if (session.works && !isNew) return {};
  const streams = stream === undefined ? session.desks : [...session.desks.filter((one) => one !== stream), stream];
  return { session: { ...session, works: true, desks: streams.slice(-20) } };
}

/** Denies changes to Waymark's own files and changes outside the `edits` of the open steps. */
async function denyChange(use: ToolUse, own: readonly OpenWork[], around: HookContext): Promise<HookAnswer> {
  const open = own.filter(({ steps }) => steps.length > 0);
  const [first] = open;
  if (first === undefined || use.kind === "other" || use.kind === "waymark") return nothing;
  if (use.kind === "edit") {
    const located = await around.locate(use.paths.map((path) => ({ path })));
    return ownDenial(located, first) ?? outsideDenial(located, open) ?? nothing;
  }
  const files = shellWrites(use.command);
  const located = await around.locate(files.map((file) => ({ ...file, cwd: joined(use.cwd, file.cwd) })));
  const emptied = located.find(({ holdsOurs, asked: { removed } }) => holdsOurs && removed === true);
  if (emptied !== undefined) return { kind: "deny", reason: ownDenied(`.waymark/ in ${emptied.shown || "."}`, first) };
  const written = located.filter(({ asked }) => asked.made !== true);
  return ownDenial(located, first) ?? outsideDenial(written, open) ?? nothing;
}

function ownDenial(located: readonly LocatedPath[], work: OpenWork): HookAnswer | undefined {
  const ours = located.find(({ isOurs }) => isOurs);
  return ours === undefined ? undefined : { kind: "deny", reason: ownDenied(ours.shown, work) };
}

/** Denies a change that none of the open steps allows. */
function outsideDenial(located: readonly LocatedPath[], open: readonly OpenWork[]): HookAnswer | undefined {
  const steps = open.flatMap((work) => work.steps.map((step) => ({ work, step })));
  const [first] = steps;
  const isCovered = (file: LocatedPath): boolean =>
    steps.some(({ work, step: { edits } }) => edits === undefined || file.isCovered(work.area, edits));
  const outside = located.find((file) => !isCovered(file));
  if (first === undefined || outside === undefined) return undefined;
  return { kind: "deny", reason: outsideDenied(outside.shown || ".", first.work, first.step) };
}

function joined(cwd: string | undefined, folder: string): string {
  if (cwd === undefined || /^[/~]/.test(folder)) return folder;
  return folder === "" ? cwd : `${cwd}/${folder}`;
}

/** Reminds of the open step once, unless it is waiting for a person. */
function remindOnce(own: readonly OpenWork[], session: HostSession): HookDecision {
  const steps = own.flatMap((work) => work.steps.map((step) => ({ work, step, key: attemptKey(work, step) })));
  const found = steps.find(({ step, key }) => step.waiting === undefined && !session.reminded.includes(key));
  if (found === undefined) return { answer: nothing };
  const { work, step, key } = found;
  const reminded = [...session.reminded, key].slice(-50);
  return { answer: { kind: "go on", reason: reminder(work, step) }, session: { ...session, reminded } };
}

function attemptKey({ key }: OpenWork, { workflow, step, attempt, since }: OpenViewStep): string {
  return JSON.stringify([key, workflow, step, attempt, since]);
}
