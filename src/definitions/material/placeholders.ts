/** What a placeholder stands for; undefined where nobody knows it, empty where there is nothing to put in. */
export type LookUp = (name: string) => string | undefined;

/** A placeholder that was not filled: its name is unknown, or it has nothing to stand for. */
export type Unfilled = { readonly written: string; readonly name: string; readonly isKnown: boolean };

/** Fills `{{name}}` and `{name}` in a text, once and without evaluating anything; what is unknown stays, and is told. */
export function fillPlaceholders(
  text: string,
  lookUp: LookUp,
): { readonly text: string; readonly unfilled: readonly Unfilled[] } {
  const unfilled = new Map<string, Unfilled>();
  const filled = text.replaceAll(
    /\{\{([^{}\n]{1,80})\}\}|(?<![${])\{([a-z_]{1,60})\}(?!\})/g,
    (written: string, double: string | undefined, single: string | undefined) => {
      const name = (double ?? single ?? "").trim();
      const value = lookUp(name);
      const isKnown = value !== undefined;
      // A single brace may be code; a double one was meant for us.
      if (value === "" || (!isKnown && double !== undefined)) unfilled.set(written, { written, name, isKnown });
      if (value === undefined) return written;
      return value === "" ? "(none)" : value;
    },
  );
  return { text: filled, unfilled: [...unfilled.values()] };
}
