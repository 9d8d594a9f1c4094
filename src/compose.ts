import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { botDefinitions } from "./definitions/bot-definitions.ts";
import { botCatalog } from "./definitions/bots/catalog.ts";
import { type LiveBot, liveBots } from "./definitions/bots/live-bots.ts";
import { chooseServed } from "./definitions/bots/served.ts";
import { listWorkflows } from "./definitions/phases/list-workflows.ts";
import { readSearchSettings } from "./definitions/search-settings.ts";
import { readSettings } from "./definitions/settings.ts";
import { createEngine, type Engine } from "./engine/engine.ts";
import { createPhasedEngine, type PhasedEngine } from "./engine/phased/phased-engine.ts";
import type { ObserveEvidence, PhasedDefinitions, SessionStore } from "./engine/phased-ports.ts";
import type { CheckRules } from "./engine/ports.ts";
import { createSearch, type StandardsSearch } from "./engine/search.ts";
import type { Workplace } from "./engine/workplace.ts";
import { botsAtWork } from "./stores/file/bots-at-work.ts";
import { fileContentKeeper } from "./stores/file/content-keeper.ts";
import { fileHistory } from "./stores/file/file-history.ts";
import { filePins } from "./stores/file/session-pins.ts";
import { fileSessions } from "./stores/file/session-store.ts";
import type { Problem } from "./workflow/workflow.ts";

export type Places = {
  readonly root: string;
  /** Where state, log and content go; the root, where it is not named. */
  readonly projectArea?: string;
  /** Where the definitions are; the root's `.waymark/`, where it is not named. */
  readonly definitions?: string;
};

export type OpenedWorkplace = Workplace & {
  readonly definitions: string;
  /** Every project area that a bot or a session works in. */
  areas(): readonly string[];
  /** Writes what waits in memory, where that works now; says what still cannot be written. */
  settle(): Promise<readonly string[]>;
  /** Lets go of every file, and leaves nothing half-made behind. */
  close(): void;
};

/** Chooses and wires the parts of one workplace: the only place that knows all of them. Touches nothing until it is asked. */
export function openWorkplace(places: Places): OpenedWorkplace {
  const definitions = definitionsFolder(places);
  const live = liveBots(definitions);
  const engines = new Map<string, Engine>();
  const opened: { close(): void }[] = [];
  const clock = (): Date => new Date();
  const place = { root: places.root, projectArea: places.projectArea ?? places.root, atWork: botsAtWork };
  const choose = (): ReturnType<typeof chooseServed> =>
    chooseServed(
      live().bots.map(({ tree }) => tree),
      place,
    );
  const catalogOf = rememberLast(botCatalog);
  const sessions = fileSessions(place.projectArea);
  opened.push(sessions);
  const phased = phasedEngine(definitions, place.projectArea, sessions, clock);
  return {
    definitions,
    areas: () => [...new Set([place.projectArea, ...choose().served.map(({ projectArea }) => projectArea)])],
    bots: () => {
      const { served, warnings, problems } = choose();
      const chosen = new Set(served.map(({ bot }) => bot));
      const { bots, problems: found } = live();
      const catalog = catalogOf(bots.filter(({ tree }) => chosen.has(tree)));
      return { bots: catalog, warnings, problems: [...found, ...problems] };
    },
    engine: (name) => {
      const known = engines.get(name);
      if (known !== undefined) return known;
      const found = choose().served.find(({ bot }) => bot.name === name);
      if (found === undefined) throw new Error(`There is no bot ${name}.`);
      const { projectArea } = found;
      const strict = (): boolean => readSettings(definitions).settings.strict;
      const history = fileHistory({ projectArea, bot: name, clock, strict });
      opened.push(history);
      const engine = createEngine({
        definitions: botDefinitions({ bot: name, definitions, projectArea, bots: live }),
        history,
        content: fileContentKeeper(projectArea, strict),
        checkRules: checkRulesWhenNeeded,
        observe: observeIn(projectArea),
        clock,
      });
      engines.set(name, engine);
      return engine;
    },
    settle: async () => (await Promise.all([...engines.values()].map((engine) => engine.settle()))).flat(),
    close() {
      for (const one of opened) one.close();
    },
    phased,
    standards: standardsIn(definitions, phased),
  };
}

/** Every bot of a definitions folder, served or not; `closed` where the settings leave none of them usable. */
export function definedBots(definitions: string): { readonly bots: readonly LiveBot[]; readonly closed?: Problem } {
  const { problem } = readSettings(definitions);
  return { bots: liveBots(definitions)().bots, ...(problem === undefined ? {} : { closed: problem }) };
}

/** Does the same work once as long as it is given the same things. */
function rememberLast<T, R>(work: (things: readonly T[]) => R): (things: readonly T[]) => R {
  let last: { readonly things: readonly T[]; readonly result: R } | undefined;
  return (things) => {
    const isSame =
      last?.things.length === things.length && things.every((thing, index) => thing === last?.things[index]);
    if (last === undefined || !isSame) last = { things, result: work(things) };
    return last.result;
  };
}

/** The rule checker is loaded at its first use: a server that is only asked for its tools does not pay for it. */
const checkRulesWhenNeeded: CheckRules = async (rules, files) => {
  const { checkRules } = await import("./checks/rules/check-rules.ts");
  return checkRules(rules, files);
};

/** The same for what evidence claims about the outside. */
function observeIn(projectArea: string): ObserveEvidence {
  return async (gate, evidence) => {
    const { observeEvidence } = await import("./checks/evidence/observe-evidence.ts");
    return observeEvidence({ projectArea }, gate, evidence);
  };
}

function phasedEngine(definitions: string, projectArea: string, store: SessionStore, clock: () => Date): PhasedEngine {
  // The Markdown reader is loaded when a workflow is read, not when the server starts.
  let reader: Promise<PhasedDefinitions> | undefined;
  const load = async (): Promise<PhasedDefinitions> => {
    const { phasedDefinitions } = await import("./definitions/phases/phased-definitions.ts");
    const { folderWatch } = await import("./retrieval/index/watch.ts");
    return phasedDefinitions({ definitions, projectArea, watch: folderWatch() });
  };
  return createPhasedEngine({
    definitions: () => {
      reader ??= load();
      return reader;
    },
    workflows: () => listWorkflows(definitions),
    projectArea,
    store,
    pins: filePins([join(definitions, "pinned"), join(stateHome(), "waymark", "pinned")]),
    content: fileContentKeeper(projectArea),
    observe: observeIn(projectArea),
    clock,
  });
}

/** The standards of a definitions folder; their index is kept beside them, so that nothing of them lies where they do not. */
function standardsIn(definitions: string, phased: PhasedEngine): StandardsSearch {
  const folder = join(definitions, "standards");
  return createSearch({
    isThere: () => existsSync(folder),
    session: phased.glance,
    workflows: phased.workflows,
    standards: async () => {
      const { standards } = await import("./retrieval/standards.ts");
      const { budget, embeddings, warnings } = readSearchSettings(definitions);
      const opened = standards({ folder, indexFolder: join(definitions, "index"), embeddings });
      return {
        ...opened,
        async search(query, options = {}) {
          const answer = await opened.search(query, { ...options, budget: options.budget ?? budget });
          return { ...answer, warnings: [...warnings, ...answer.warnings] };
        },
      };
    },
  });
}

/** Where a user's programs keep what outlives them. */
function stateHome(): string {
  return process.env.XDG_STATE_HOME ?? join(homedir(), ".local", "state");
}

function definitionsFolder({ root, definitions }: Places): string {
  if (definitions === undefined) return join(root, ".waymark");
  const nested = join(definitions, ".waymark");
  return existsSync(join(definitions, "bots")) || !existsSync(nested) ? definitions : nested;
}
