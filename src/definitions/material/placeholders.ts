/** What a placeholder stands for; undefined where nobody knows it, empty where there is nothing to put in. */
export type LookUp = (name: string) => string | undefined;

/** Fills `{{name}}` and `{name}` in a text, once and without evaluating anything; what is unknown stays, and is told. */
export function fillPlaceholders(text: string, file: string, lookUp: LookUp): { text: string; warnings: string[] } {
  const warnings = new Set<string>();
  const filled = text.replaceAll(
    /\{\{([^{}\n]{1,80})\}\}|(?<![${])\{([a-z_]{1,60})\}(?!\})/g,
    (written: string, double: string | undefined, single: string | undefined) => {
      const value = lookUp((double ?? single ?? "").trim());
      if (value === undefined) {
        // A single brace may be code; a double one was meant for us.
        if (double !== undefined) warnings.add(`Placeholder ${written} in ${file} is not known and was left as it is.`);
        return written;
      }
      if (value === "")
        warnings.add(`Placeholder ${written} in ${file} has nothing to stand for and was filled with "(none)".`);
      return value === "" ? "(none)" : value;
    },
  );
  return { text: filled, warnings: [...warnings] };
}
