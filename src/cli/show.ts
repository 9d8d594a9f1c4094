import { attemptsOf } from "../audit/attempt.ts";
import type { AuditedArea } from "../audit/audit.ts";
import type { OpenedWorkplace } from "../compose.ts";
import type { Engine } from "../engine/engine.ts";
import type { StaleProof } from "../engine/ports.ts";
import { type AboutHandIn, aboutHandIn } from "../overview/about-hand-in.ts";
import { stepLabel } from "../overview/step-label.ts";
import type { StepRef } from "../workflow/events.ts";
import { attemptKey } from "../workflow/step-ref.ts";
import { UserFault } from "./fault.ts";
import { plain, print, printJson } from "./print.ts";
import { knownAs, type NamedHandIn, showLines, shownHandIn } from "./show-hand-in.ts";
import { staleLine } from "./stale-lines.ts";
import { botsAtWork, needProject, type PlaceOptions, runNamed, workplaceFor } from "./workplace.ts";

export type ShowOptions = PlaceOptions & { readonly run?: string; readonly json?: true };

/** Prints what waits for a person, whole; of a run that is named, or where nothing waits, what was handed in last. */
export async function show(run: string | undefined, options: ShowOptions): Promise<void> {
  const workplace = workplaceFor(options);
  await needProject(workplace, options);
  const all = await findHandIns(workplace, run, options.run);
  const named = run === undefined ? all : all.filter(({ name }) => name === run);
  if (run !== undefined && named.length === 0) throw await notHandedIn(workplace, run, all);
  const waiting = named.filter(({ handIn }) => handIn.state.waiting !== undefined);
  const chosen = waiting.length > 0 || run !== undefined ? (waiting.length > 0 ? waiting : named) : [];
  const shown = chosen.map(shownHandIn);
  if (options.json) return printJson(shown.map(({ files: _, before: __, title: ___, ...data }) => data));
  if (shown.length === 0) return print("Nothing waits for a person.", ...lastOne(all), ...staleBeside(named, []));
  for (const [at, one] of shown.entries()) print(...(at === 0 ? [] : [""]), ...showLines(one));
  print(...staleBeside(named, chosen));
}

/** What else is no longer proved in the runs that are shown: of a step that stands there itself its own lines say it. */
function staleBeside(named: readonly NamedHandIn[], chosen: readonly NamedHandIn[]): string[] {
  const runs = new Map(named.map((one) => [asTyped(one), one]));
  const isShown = ({ proof }: StaleProof): boolean =>
    chosen.some(({ handIn: { ref } }) => ref.workflow === proof.workflow && ref.step === proof.step);
  return [...runs.values()].flatMap((one) =>
    one.staleInRun
      .filter((proof) => !isShown(proof))
      .map(({ proof: { step, check }, files }) =>
        staleLine(`${asTyped(one)}, ${step}`, { check: check.name, files: files.slice(0, 3) }),
      ),
  );
}

/** What was handed in last wherever somebody may mean: at the run or behavior that is named, else everywhere. */
export async function findHandIns(
  workplace: OpenedWorkplace,
  asked: string | undefined,
  run: string | undefined,
): Promise<readonly NamedHandIn[]> {
  return handInsOf(await enginesFor(workplace, asked, runNamed(run)), await workplace.logs());
}

/** The engines that are asked for: of a named run, else of the run that is meant here where a behavior is named, else all. */
async function enginesFor(
  workplace: OpenedWorkplace,
  asked: string | undefined,
  run: string | undefined,
): Promise<readonly Engine[]> {
  const { sessions } = workplace;
  const session = asked === undefined ? undefined : await sessions.find(asked);
  if (session !== undefined) return [session];
  const { bots } = await workplace.bots();
  if (run !== undefined || asked !== undefined)
    return bots.length === 0 && run === undefined
      ? []
      : (await botsAtWork(workplace, { root: "", ...(run === undefined ? {} : { run }) })).map(({ engine }) => engine);
  const served = await Promise.all(
    bots.map(async ({ name }) =>
      Promise.all([undefined, ...(await workplace.runs(name))].map((one) => workplace.engine(name, one))),
    ),
  );
  const open = await sessions.all();
  return [...served.flat(), ...open.filter(({ desk }) => desk.archivedAt === null).map((one) => one.engine)];
}

async function handInsOf(engines: readonly Engine[], areas: readonly AuditedArea[]): Promise<NamedHandIn[]> {
  const found = await Promise.all(
    engines.map(async (engine) => {
      const handIns = await engine.handIns();
      if (handIns.length === 0) return [];
      const [stale, mapped] = [await engine.stale(), await engine.map()];
      const recorded = await attemptsOf(
        areas,
        engine.id,
        handIns.map(({ ref }) => ref),
      );
      return handIns.map((handIn) => ({
        name: engine.id.kind === "session" ? engine.id.name : `${engine.id.name}.${handIn.ref.workflow}`,
        run: engine.id.run,
        title: calledIn(engine.id, handIn.ref, aboutHandIn(mapped, handIn.ref)),
        handIn,
        about: aboutHandIn(mapped, handIn.ref),
        engine,
        events: recorded.get(attemptKey(handIn.ref)) ?? [],
        stale: stale.filter(({ proof }) => proof.workflow === handIn.ref.workflow && proof.step === handIn.ref.step),
        staleInRun: stale.filter(({ proof }) => proof.workflow === handIn.ref.workflow),
      }));
    }),
  );
  return found.flat();
}

/** What people call the step of a hand-in, with the name of the run left out. */
function calledIn({ kind }: Engine["id"], ref: StepRef, { title }: AboutHandIn): string {
  return kind === "bot" ? ref.step : stepLabel(kind, { ...ref, title });
}

/** Where to look, where nothing waits: what was handed in last of all. */
function lastOne(all: readonly NamedHandIn[]): string[] {
  const newest = [...all].sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1)).at(-1);
  return newest === undefined
    ? []
    : [`Handed in last: ${plain(newest.title)} of ${knownAs(newest)}. waymark show ${asTyped(newest)} shows it.`];
}

/** A hand-in as a command names it. */
export function asTyped({ name, run }: NamedHandIn): string {
  return run === undefined ? name : `${name} --run ${run}`;
}

function timeOf({ handIn: { state } }: NamedHandIn): string {
  return state.completion?.at ?? state.startedAt;
}

async function notHandedIn(workplace: OpenedWorkplace, run: string, all: readonly NamedHandIn[]): Promise<UserFault> {
  const behaviors = (await workplace.bots()).bots.flatMap((bot) =>
    bot.behaviors.map(({ name }) => `${bot.name}.${name}`),
  );
  if (behaviors.includes(run) || (await workplace.sessions.find(run)) !== undefined)
    return new UserFault(`Nothing has been handed in for ${run} yet.`);
  const known = all.map(asTyped).join(", ");
  return new UserFault(
    `There is no run ${run} here.${known === "" ? "" : ` There is: ${known}.`} waymark status lists sessions.`,
  );
}
