import { defined } from "../kit/defined.ts";
/** The normal forms a completion was judged by (`gate-meaning.ts`, `rules-meaning.ts`), unchanged by upgrades or rewriting. */
export type JudgedBy = {
  /** The step's gate, and if an approval is needed. */
  readonly gate: string;
  /** The steps, and which are skipped. */
  readonly sequence: string;
  /** The meaning of its checks' schemas; absent if there are none, and in older records. */
  readonly schemas?: string | undefined;
  /** The plan's workflows if they are ordered; absent otherwise, and in older records. */
  readonly behaviors?: string | undefined;
  /** The rules run over the content. */
  readonly rules?: string | undefined;
  /** "2" for a gate that the present reader read from prose; absent for gate files, and in older records. */
  readonly reader?: string | undefined;
  /** The team settings that apply, in words. */
  readonly settings?: string | undefined;
};

/** The version of these forms; different versions are never compared. */
const form = "v1";

/** Writes it as one text for the record. */
export function writeJudgedBy({ gate, sequence, schemas, behaviors, reader, rules, settings }: JudgedBy): string {
  const parts = { gate, sequence, schemas, behaviors, reader, rules, settings };
  const said = Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  return `${form}:${said.join(";")}`;
}

/** Parses the text; returns `form` if the version is unknown, undefined if it is unusable. */
export function readJudgedBy(text: string | undefined): JudgedBy | { readonly form: string } | undefined {
  const [, version, rest] = /^(v\d+):(.*)$/.exec(text ?? "") ?? [];
  if (version === undefined || rest === undefined) return undefined;
  if (version !== form) return { form: version };
  const parts = new Map(
    rest.split(";").map((part): [string, string] => [part.split("=")[0] ?? "", part.replace(/^[^=]*=/, "")]),
  );
  const [gate, sequence] = [parts.get("gate"), parts.get("sequence")];
  if (gate === undefined || sequence === undefined) return undefined;
  const [schemas, behaviors, reader] = [parts.get("schemas"), parts.get("behaviors"), parts.get("reader")];
  return {
    gate,
    sequence,
    ...defined({ schemas, behaviors, reader }),
    rules: parts.get("rules"),
    settings: parts.get("settings"),
  };
}
