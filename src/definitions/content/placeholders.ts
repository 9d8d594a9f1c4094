/** Returns the value of a placeholder: undefined if it is unknown, empty if there is nothing to insert. */
export type LookUp = (name: string) => string | undefined;

/** A placeholder that was not filled. */
export type Unfilled = {
  readonly written: string;
  readonly name: string;
  /** `empty`: it has no value. `perhaps`: it is unknown and may be code. */
  readonly why: "unknown" | "empty" | "perhaps" | "no file";
};

/** Fills `{{name}}`, `{name}` and `@file.txt` in a text once, without evaluating anything; unknown ones stay and are reported. */
export function fillPlaceholders(
  text: string,
  lookUp: LookUp,
  readBeside: (file: string) => string | undefined,
): { readonly text: string; readonly unfilled: readonly Unfilled[] } {
  const unfilled = new Map<string, Unfilled>();
  const leave = (written: string, name: string, why: Unfilled["why"]): string => {
    unfilled.set(written, { written, name, why });
    return why === "empty" ? "(none)" : written;
  };
  const filled = text.replaceAll(
    /\{\{([^{}\n]{1,80})\}\}|(?<![${])\{([a-z_]{1,60})\}(?!\})|(?<![\w.@/])@([\w-][\w./-]*\.(?:txt|md|json|mmd))\b/g,
    (written: string, double: string | undefined, single: string | undefined, file: string | undefined) => {
      if (file !== undefined) return readBeside(file)?.trim() ?? leave(written, file, "no file");
      const name = (double ?? single ?? "").trim();
      const value = lookUp(name);
      // A single brace may be code; a double one is meant as a placeholder.
      if (value === undefined) return leave(written, name, double === undefined ? "perhaps" : "unknown");
      return value === "" ? leave(written, name, "empty") : value;
    },
  );
  return { text: filled, unfilled: [...unfilled.values()] };
}
