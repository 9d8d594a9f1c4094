/** The number and name of a phase from its heading; no number for the letter N. */
export type PhaseTitle = {
  readonly kind: "phase" | "step" | "number";
  readonly number: number | undefined;
  readonly name: string;
  /** True if a colon, dash or bracket is between number and name. */
  readonly isSeparated: boolean;
};

/** The number and name of a task from its heading or list item; with the phase if the number has two parts. */
export type TaskTitle = { readonly phase?: number; readonly number: number; readonly name: string };

/** Parses a phase heading such as `Phase 2: Plan`, `Step 2 - Plan`, `2. Plan`, `Phase N: Close`. */
export function phaseTitle(heading: string): PhaseTitle | undefined {
  const [, word, written = "", separator = "", rest = ""] =
    /^[^\p{L}\p{N}]*(?:(phase|step)[\s#-]*)?(\d{1,4}|N|[IVX]+|one|two|three|four|five|six|seven|eight|nine|ten)(?![\p{L}\p{N}_]|\.\d)\s*([:.|)–—-]*)\s*(.*?)[\s#]*$/iu.exec(
      heading,
    ) ?? [];
  const kind = word === undefined ? "number" : word.toLowerCase() === "step" ? "step" : "phase";
  if (written === "" || (kind === "number" && (!/^\d/.test(written) || separator === "" || rest === "")))
    return undefined;
  if (
    separator === "" &&
    /^(?:is|are|must|has|blocks|depends|requires|needs|and|to|or|through)\b|^[→⇒>/&+,]/iu.test(rest)
  )
    return undefined;
  const name = rest.startsWith("(") && rest.endsWith(")") ? rest.slice(1, -1) : rest;
  return { kind, number: numberOf(written), name: name.trim(), isSeparated: separator !== "" };
}

/** The number of a heading with another word, or with a number in words: `Part 5: Order`, `V. Order`, `Five - Order`. */
export function otherNumber(heading: string): number | undefined {
  const [, written = ""] =
    /^[^\p{L}\p{N}]*(?:\p{L}+[\s#-]+)?(\d{1,4}|[IVX]+|one|two|three|four|five|six|seven|eight|nine|ten)\s*(?:[:.|)–—](?!\d)|-\s)/iu.exec(
      heading,
    ) ?? [];
  return numberOf(written);
}

/** Parses a task heading or list item such as `Task 1.2: Write it`, `Task 0 - Look`, `1.3 Run it`, `T012 Write it`. */
export function taskTitle(text: string): TaskTitle | undefined {
  const [, phase, number, rest = ""] =
    /^[^\p{L}\p{N}]*task[\s#-]*(?:(\d{1,4})\.)?(\d{1,4})(?![\p{L}\p{N}]|\.\d)[\s:.|)–—-]*(.*?)[\s#]*$/iu.exec(text) ??
    /^[^\p{L}\p{N}]*T()(\d{2,4})(?![\p{L}\p{N}.])[\s:.|)–—-]*(?:\[[^\]]*\]\s*)*(.*?)[\s#]*$/u.exec(text) ??
    /^[^\p{L}\p{N}]*(\d{1,4})\.(\d{1,4})(?![\p{L}\p{N}%]|\.\d)[\s:.|)–—-]+(.*?)[\s#]*$/iu.exec(text) ??
    [];
  if (number === undefined) return undefined;
  const title = { number: Number(number), name: rest.trim() };
  return phase === undefined || phase === "" ? title : { phase: Number(phase), ...title };
}

/** The number that digits, a word or a Roman numeral names. */
function numberOf(written: string): number | undefined {
  if (/^\d/.test(written)) return Number(written);
  const spelled = "zero one two three four five six seven eight nine ten".split(" ").indexOf(written.toLowerCase());
  const roman = "0 I II III IV V VI VII VIII IX X XI XII".split(" ").indexOf(written.toUpperCase());
  return spelled >= 0 ? spelled : roman > 0 ? roman : undefined;
}
