/**
 * What a completion was judged by, each part in a normal form of its meaning (`gate-meaning.ts`, `rules-meaning.ts`): neither
 * an upgrade nor another way of writing the same changes it.
 */
export type JudgedBy = {
  /** The step's own gate, and whether a person's word is needed. */
  readonly gate: string;
  /** The steps, and which of them are passed over. */
  readonly sequence: string;
  /** What the schemas of its checks say; nothing where none has one, and in records of before. */
  readonly schemas?: string | undefined;
  /** The workflows of the plan, where they come in order; nothing where they do not, and in records of before. */
  readonly behaviors?: string | undefined;
  /** The rules that were run over the content. */
  readonly rules?: string | undefined;
  /** The team's settings that decide, in words. */
  readonly settings?: string | undefined;
};

/** Names the forms: what is put into another form is told apart from this one, and never compared with it. */
const form = "v1";

/** Writes down what something was judged by, as one text for the record. */
export function writeJudgedBy({ gate, sequence, schemas, behaviors, rules, settings }: JudgedBy): string {
  const parts = { gate, sequence, schemas, behaviors, rules, settings };
  const said = Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  return `${form}:${said.join(";")}`;
}

/** Reads it back; `form` where it is written in one that is not known here, undefined where nothing usable is written. */
export function readJudgedBy(text: string | undefined): JudgedBy | { readonly form: string } | undefined {
  const [, version, rest] = /^(v\d+):(.*)$/.exec(text ?? "") ?? [];
  if (version === undefined || rest === undefined) return undefined;
  if (version !== form) return { form: version };
  const parts = new Map(
    rest.split(";").map((part): [string, string] => [part.split("=")[0] ?? "", part.replace(/^[^=]*=/, "")]),
  );
  const [gate, sequence] = [parts.get("gate"), parts.get("sequence")];
  if (gate === undefined || sequence === undefined) return undefined;
  const [schemas, behaviors] = [parts.get("schemas"), parts.get("behaviors")];
  return {
    gate,
    sequence,
    ...(schemas === undefined ? {} : { schemas }),
    ...(behaviors === undefined ? {} : { behaviors }),
    rules: parts.get("rules"),
    settings: parts.get("settings"),
  };
}
