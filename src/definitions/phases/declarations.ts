import { type InputDeclaration, inputProblem, inputTypes } from "../../gates/input.ts";
import { evidenceTypeOf } from "../../gates/type-vocabulary.ts";
import { defined } from "../../kit/defined.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";

/** The inputs that a workflow takes and the ways it may end, from its metadata or front matter. */
export type Declarations = {
  readonly inputs?: readonly InputDeclaration[];
  readonly outcomes?: readonly string[];
};

/** Reads `inputs` and `outcomes`; anything invalid is reported with its key. */
export function readDeclarations(
  { inputs, outcomes }: JsonObject,
  complain: (key: string, message: string) => void,
): Declarations {
  return defined({
    inputs: inputs === undefined ? undefined : readInputs(inputs, complain),
    outcomes: outcomes === undefined ? undefined : readOutcomes(outcomes, complain),
  });
}

function readInputs(written: Json, complain: (key: string, message: string) => void): readonly InputDeclaration[] {
  if (!isObject(written)) {
    complain("inputs", "inputs must be a mapping of names");
    return [];
  }
  return Object.entries(written).flatMap(([name, entry]) => {
    const read = readInput(name, entry);
    if (typeof read !== "string") return [read];
    complain("inputs", read);
    return [];
  });
}

const inputKeys = ["type", "required", "default", "one_of", "description"];

/** An input as declared, or what is wrong with it. */
function readInput(name: string, entry: Json): InputDeclaration | string {
  if (!/^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u.test(name)) return `the input ${JSON.stringify(name)} needs a plain name`;
  if (!isObject(entry)) return `the input ${name} must be a mapping with type`;
  const odd = Object.keys(entry).find((key) => !inputKeys.includes(key));
  if (odd !== undefined) return `the key "${odd}" of the input ${name} is unknown; use ${inputKeys.join(", ")}`;
  const { type: written = "string", required = false, default: fallback, one_of: oneOf, description } = entry;
  const named = evidenceTypeOf(written);
  const type = inputTypes.find((one) => one === named);
  if (type === undefined) return `the type of the input ${name} must be one of ${inputTypes.join(", ")}`;
  if (typeof required !== "boolean") return `required of the input ${name} must be true or false`;
  if (oneOf !== undefined && (!Array.isArray(oneOf) || oneOf.length === 0))
    return `one_of of the input ${name} must be a list`;
  const more = typeof description === "string" ? { description } : {};
  const input: InputDeclaration = {
    name,
    type,
    required: required && fallback === undefined,
    ...defined({ default: fallback, oneOf: Array.isArray(oneOf) ? oneOf : undefined }),
    ...more,
  };
  const wrong = [...(input.oneOf ?? []), ...(fallback === undefined ? [] : [fallback])]
    .map((value) => inputProblem(input, value))
    .find((problem) => problem !== undefined);
  return wrong === undefined ? input : `default or one_of of the input ${name} ${wrong}`;
}

function readOutcomes(written: Json, complain: (key: string, message: string) => void): readonly string[] {
  const isName = (one: Json): one is string =>
    typeof one === "string" && /^(?!next$)\p{L}[\p{L}\p{N}_ -]{0,39}$/u.test(one);
  if (Array.isArray(written) && written.length > 0 && written.every(isName))
    return written.includes("done") ? written : ["done", ...written];
  complain(
    "outcomes",
    "outcomes must be a list of names that begin with a letter, such as [done, no-go]; next is taken",
  );
  return [];
}
