/** The number and name of a phase as its heading gives them. */
export type PhaseTitle = { readonly number: number; readonly name: string };

/** The number and name of a task as its heading or list item gives them; the phase where the number has two parts. */
export type TaskTitle = { readonly phase?: number; readonly number: number; readonly name: string };

/** Reads a heading such as `Phase 2: Plan`, `PHASE 0 — Setup`, `🎯 Phase 1 (Survey)`; a phase's gate or checklist is no phase. */
export function phaseTitle(heading: string): PhaseTitle | undefined {
  const [, digits = "", separator = "", rest = ""] =
    /^[^\p{L}\p{N}]*phase[\s#-]*(\d{1,4}|zero|one|two|three|four|five|six|seven|eight|nine|ten)(?![\p{L}\p{N}_]|\.\d)\s*([:.|)–—-]*)\s*(.*?)[\s#]*$/iu.exec(
      heading,
    ) ?? [];
  if (digits === "") return undefined;
  const number = /^\d/.test(digits) ? Number(digits) : words.indexOf(digits.toLowerCase());
  const name = rest.replace(/^\((.*)\)$/, "$1").trim();
  const isPart =
    onward.test(rest) || (separator === "" ? partOfPhase.test(name) || saying.test(name) : wholeGate.test(name));
  return isPart ? undefined : { number, name };
}

/** Reads a heading or list item such as `Task 1.2: Write it`, `Task 0 - Look`, `1.3 Run it`. */
export function taskTitle(text: string): TaskTitle | undefined {
  const [, phase, number, rest = ""] =
    /^[^\p{L}\p{N}]*task[\s#-]*(?:(\d{1,4})\.)?(\d{1,4})(?![\p{L}\p{N}]|\.\d)[\s:.|)–—-]*(.*?)[\s#]*$/iu.exec(text) ??
    // `T012 [P] [US1] Write it`, as spec-kit numbers its tasks.
    /^[^\p{L}\p{N}]*T()(\d{2,4})(?![\p{L}\p{N}.])[\s:.|)–—-]*(?:\[[^\]]*\]\s*)*(.*?)[\s#]*$/u.exec(text) ??
    /^[^\p{L}\p{N}]*(\d{1,4})\.(\d{1,4})(?![\p{L}\p{N}%]|\.\d)[\s:.|)–—-]+(.*?)[\s#]*$/iu.exec(text) ??
    [];
  if (number === undefined) return undefined;
  // "1.4 Exit criteria" is a section of its own.
  if (!/\btask\b/i.test(text) && sections.test(rest)) return undefined;
  return {
    ...(phase === undefined || phase === "" ? {} : { phase: Number(phase) }),
    number: Number(number),
    name: rest.trim(),
  };
}

const sections = /^(?:[\p{L}-]+\s+){0,2}(?:gates?|checkpoints?|criteria|definition of done|evidence)\b/iu;
const words = "zero one two three four five six seven eight nine ten".split(" ");
const partOfPhase =
  /^(?:[\p{L}-]+\s+){0,2}(?:gates?|checkpoints?|check ?lists?|criteria|conditions|validation|verification|evidence|tasks?|deliverables?|summary|overview|requirements|approval|review|exit|acceptance|complete|completion|notes?|entry|examples?)\b/iu;
/** "Phase 1 → Phase 2", "Phase 1 and 2": about phases, and none of them. */
const onward = /^(?:→|⇒|>|=>|(?:\/|&|\+|,|to\b|and\b|through\b|vs\b|before\b)\.?\s*(?:phase\s*)?\d)/iu;
/** "Phase 1 is done when": a sentence. */
const saying = /^(?:is|are|must|has|blocks|depends|requires|needs)\b/iu;
const wholeGate =
  /^(?:(?:validation|quality|phase|exit|completion)\s+)?(?:gate|checkpoint|checklist|(?:exit|acceptance|completion) criteria)$/iu;
