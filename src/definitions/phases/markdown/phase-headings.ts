/** The number and name of a phase from its heading. */
export type PhaseTitle = { readonly number: number; readonly name: string };

/** The number and name of a task from its heading or list item; with the phase if the number has two parts. */
export type TaskTitle = { readonly phase?: number; readonly number: number; readonly name: string };

/** Parses a phase heading such as `Phase 2: Plan`, `PHASE 0 — Setup`, `🎯 Phase 1 (Survey)`; ignores a phase's gate or checklist. */
export function phaseTitle(heading: string): PhaseTitle | undefined {
  const [, digits = "", separator = "", rest = ""] =
    /^[^\p{L}\p{N}]*phase[\s#-]*(\d{1,4})(?![\p{L}\p{N}_]|\.\d)\s*([:.|)–—-]*)\s*(.*?)[\s#]*$/iu.exec(heading) ?? [];
  if (digits === "") return undefined;
  const name = (rest.startsWith("(") && rest.endsWith(")") ? rest.slice(1, -1) : rest).trim();
  const isPart =
    onward.test(rest) ||
    (separator === ""
      ? beginsWith(name, partsOfPhase) || name.toLowerCase().includes("check list") || beginsWith(name, saying, 0)
      : wholeGate.test(name));
  return isPart ? undefined : { number: Number(digits), name };
}

/** Parses a task heading or list item such as `Task 1.2: Write it`, `Task 0 - Look`, `1.3 Run it`. */
export function taskTitle(text: string): TaskTitle | undefined {
  const [, phase, number, rest = ""] =
    /^[^\p{L}\p{N}]*task[\s#-]*(?:(\d{1,4})\.)?(\d{1,4})(?![\p{L}\p{N}]|\.\d)[\s:.|)–—-]*(.*?)[\s#]*$/iu.exec(text) ??
    // `T012 [P] [US1] Write it`, as spec-kit numbers its tasks.
    /^[^\p{L}\p{N}]*T()(\d{2,4})(?![\p{L}\p{N}.])[\s:.|)–—-]*(?:\[[^\]]*\]\s*)*(.*?)[\s#]*$/u.exec(text) ??
    /^[^\p{L}\p{N}]*(\d{1,4})\.(\d{1,4})(?![\p{L}\p{N}%]|\.\d)[\s:.|)–—-]+(.*?)[\s#]*$/iu.exec(text) ??
    [];
  if (number === undefined) return undefined;
  // "1.4 Exit criteria" is a section, not a task.
  const isSection = beginsWith(rest, sections) || rest.toLowerCase().includes("definition of done");
  if (isSection && !text.toLowerCase().includes("task")) return undefined;
  const title = { number: Number(number), name: rest.trim() };
  return phase === undefined || phase === "" ? title : { phase: Number(phase), ...title };
}

/** True if a name starts with one of these words, after at most two others. */
function beginsWith(name: string, words: ReadonlySet<string>, before = 2): boolean {
  const said = name.toLowerCase().split(/[\s:.,;!?()/–—]+/);
  const at = said.slice(0, before + 1).findIndex((word) => words.has(word.split("-")[0] ?? ""));
  return at >= 0 && said.slice(0, at).every((word) => word === "" || Number.isNaN(Number(word)));
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const sections = set("gate gates checkpoint checkpoints criteria evidence");
const partsOfPhase = set(
  "gate gates checkpoint checkpoints checklist checklists criteria conditions validation verification evidence task tasks deliverable deliverables summary overview requirements approval review exit acceptance complete completion note notes entry example examples",
);
/** "Phase 1 is done when" is a sentence. */
const saying = set("is are must has blocks depends requires needs");
/** "Phase 1 → Phase 2", "Phase 1 and 2" are about phases, but start none. */
const onward = /^(?:→|⇒|>|=>|(?:\/|&|\+|,|to\b|and\b|through\b|vs\b|before\b)\.?\s*(?:phase\s*)?\d)/iu;
/** "Phase 1: Validation gate" is the gate of a phase written elsewhere. */
const wholeGate =
  /^(?:(?:validation|quality|phase|exit|completion) )?(?:gate|checkpoint|checklist|(?:exit|acceptance|completion) criteria)$/i;
