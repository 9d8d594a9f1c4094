import type { OpenViewStep } from "../words/open-view.ts";
import { card, outsideDenied, ownDenied, reminder, startLine } from "./card.ts";
import { deskCalled, isToolOf } from "./desk-called.ts";
import type { Answer, HookHost, Occasion, ToolUse } from "./occasion.ts";
import { mayChooseOurs } from "./shell/code.ts";
import { shellWrites } from "./shell/writes.ts";
import type { HostSession, Located, OpenWork, Surroundings } from "./surroundings.ts";

/** What a hook answers, and what is to be remembered of the session, where that changed. */
export type Decided = { readonly answer: Answer; readonly session?: HostSession };

const nothing: Answer = { kind: "nothing" };

/** Decides what a hook answers. A session that has not called Waymark hears one line at its start, and nothing keeps it from anything. */
export async function decideHook(host: HookHost, occasion: Occasion, around: Surroundings): Promise<Decided> {
  const { session } = around;
  const own = ownWork(around);
  switch (occasion.kind) {
    case "start":
      if (session.desks.length === 0) return { answer: lineHere(around) };
      return { answer: said(card(own)), ...settled(session) };
    case "prompt":
      if (host === "opencode") return { answer: session.desks.length === 0 ? lineHere(around) : said(card(own)) };
      // Gemini CLI says nothing after it has compressed its history.
      return session.works && (session.owed || host === "gemini")
        ? { answer: said(card(own)), ...settled(session) }
        : { answer: nothing };
    case "compacting":
      if (host === "opencode") return { answer: session.works ? said(card(own)) : nothing };
      return session.works && !session.owed && host !== "gemini"
        ? { answer: nothing, session: { ...session, owed: true } }
        : { answer: nothing };
    case "before":
      if (occasion.use.kind === "waymark") return { answer: nothing, ...working(occasion.use, around) };
      return { answer: session.works ? await guard(occasion.use, own, around) : nothing };
    case "after": {
      const noted = occasion.use.kind === "waymark" ? working(occasion.use, around) : {};
      const now = noted.session ?? session;
      return now.works && now.owed
        ? { answer: said(card(ownWork({ ...around, session: now }))), ...settled(now) }
        : { answer: nothing, ...noted };
    }
    case "stop":
      return session.works && !occasion.again ? remind(own, session) : { answer: nothing };
    case "other":
      return { answer: nothing };
  }
}

/** The work that a session's own calls were about; other people's is none of its business. */
function ownWork({ work, session: { desks } }: Surroundings): readonly OpenWork[] {
  return work.filter(({ key }) => desks.includes(key));
}

/** What a session hears that is at no work of its own. */
function lineHere({ work }: Surroundings): Answer {
  return said(startLine(work.filter(({ isElsewhere }) => isElsewhere !== true)));
}

function said(text: string): Answer {
  return text === "" ? nothing : { kind: "context", text };
}

function settled(session: HostSession): Pick<Decided, "session"> {
  return session.owed ? { session: { ...session, owed: false } } : {};
}

/** A session that calls Waymark works with it from then on, at the desk that the call was about. */
function working(use: ToolUse & { kind: "waymark" }, around: Surroundings): Pick<Decided, "session"> {
  const { session } = around;
  if (!use.isSure && !around.work.some(isToolOf(use.tool))) return {};
  const desk = deskCalled(use, around);
  const isNew = desk !== undefined && session.desks.at(-1) !== desk;
  if (session.works && !isNew) return {};
  const desks = desk === undefined ? session.desks : [...session.desks.filter((one) => one !== desk), desk];
  return { session: { ...session, works: true, desks: desks.slice(-20) } };
}

/** Says no to what touches Waymark's own files, or lies outside what the open steps may change. */
async function guard(use: ToolUse, own: readonly OpenWork[], around: Surroundings): Promise<Answer> {
  const open = own.filter(({ steps }) => steps.length > 0);
  const [first] = open;
  if (first === undefined || use.kind === "other" || use.kind === "waymark") return nothing;
  if (use.kind === "edit") {
    const located = await around.locate(use.paths.map((path) => ({ path })));
    return ownDenial(located, first) ?? outsideDenial(located, open) ?? nothing;
  }
  const { files, changesOurs } = shellWrites(use.command);
  if (changesOurs) return { kind: "deny", reason: ownDenied("what this code writes to", first) };
  const located = await around.locate(files.map((file) => ({ ...file, cwd: joined(use.cwd, file.cwd) })));
  const emptied = located.find(({ holdsOurs, asked: { removed, chosen } }) =>
    chosen === undefined ? holdsOurs && removed === true : holdsOurs && chosen.some(mayChooseOurs),
  );
  if (emptied !== undefined) return { kind: "deny", reason: ownDenied(`.waymark/ in ${emptied.shown || "."}`, first) };
  const written = located.filter(({ asked }) => asked.made !== true);
  return ownDenial(located, first) ?? outsideDenial(written, open) ?? nothing;
}

function ownDenial(located: readonly Located[], work: OpenWork): Answer | undefined {
  const ours = located.find(({ isOurs }) => isOurs);
  return ours === undefined ? undefined : { kind: "deny", reason: ownDenied(ours.shown, work) };
}

/** With several steps open, what one of them may change may be changed. */
function outsideDenial(located: readonly Located[], open: readonly OpenWork[]): Answer | undefined {
  const steps = open.flatMap((work) => work.steps.map((step) => ({ work, step })));
  const [first] = steps;
  const isCovered = (file: Located): boolean =>
    steps.some(({ work, step: { edits } }) => edits === undefined || file.isCovered(work.area, edits));
  const outside = located.find((file) => !isCovered(file));
  if (first === undefined || outside === undefined) return undefined;
  return { kind: "deny", reason: outsideDenied(outside.shown || ".", first.work, first.step) };
}

function joined(cwd: string | undefined, folder: string): string {
  if (cwd === undefined || /^[/~]/.test(folder)) return folder;
  return folder === "" ? cwd : `${cwd}/${folder}`;
}

/** Reminds of the step that is open, once; of none that waits for a person. */
function remind(own: readonly OpenWork[], session: HostSession): Decided {
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
