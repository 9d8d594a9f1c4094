import { type Calls, type Collected, type ItemSource, maxItems } from "../../gates/calls.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";

/** The keys about items and other workflows, as written in a gate file or in a behavior's list. */
export type WrittenCalls = { readonly [Key in (typeof callKeys)[number]]?: Json | undefined };

/** The keys that belong to the work of other workflows. */
export const callKeys = ["for_each", "workflow", "with", "accept", "collect"] as const;

/** Reports what is wrong at a key. */
type Complain = (path: readonly string[], message: string, isUnknownKey?: true) => void;

/** Reads `for_each`, `workflow`, `with`, `accept` and `collect`; undefined if none of them is written. */
export function readCalls(written: WrittenCalls, complain: Complain): Calls | undefined {
  const first = callKeys.find((key) => written[key] !== undefined);
  if (first === undefined) return undefined;
  const { for_each: each, workflow, with: inputs = {}, accept = ["done"], collect = {} } = written;
  if (typeof workflow !== "string" || workflow.trim() === "") {
    complain([first], `${first} needs workflow: the name of the workflow that does the work of this step`);
    return undefined;
  }
  if (!isObject(inputs)) complain(["with"], "with must be a mapping of inputs");
  if (!areNames(accept)) complain(["accept"], "accept must be a list of outcomes, such as [done, blocked]");
  return {
    workflow: workflow.trim(),
    ...(each === undefined ? { parallel: 1 } : readEach(each, complain)),
    with: isObject(inputs) ? inputs : {},
    accept: areNames(accept) ? accept : ["done"],
    collect: readCollect(collect, complain),
  };
}

const eachKeys = ["in", "file", "after", "parallel", "ticked"];

function readEach(written: Json, complain: Complain): Pick<Calls, "each" | "after" | "parallel" | "ticked"> {
  const form: JsonObject = isObject(written) ? written : { in: written };
  for (const key of Object.keys(form))
    if (!eachKeys.includes(key))
      complain(["for_each", key], `the key "${key}" of for_each is unknown; use ${eachKeys.join(", ")}`, true);
  const { in: listed, file, after, parallel = 1, ticked } = form;
  const each = sourceOf(listed, file);
  if (each === undefined)
    complain(["for_each"], "for_each needs in: [a, b], in: STEP.FIELD, or file: PATH, and only one of them");
  if (after !== undefined && (typeof after !== "string" || !isName(after)))
    complain(["for_each", "after"], "after must be the name of the field that lists what an item waits for");
  if (!(typeof parallel === "number" && Number.isInteger(parallel) && parallel >= 1 && parallel <= maxItems))
    complain(["for_each", "parallel"], `parallel must be a whole number from 1 to ${maxItems}`);
  if (ticked !== undefined && ticked !== "done") complain(["for_each", "ticked"], "ticked can only be done");
  return {
    ...(each === undefined ? {} : { each }),
    ...(typeof after === "string" ? { after } : {}),
    parallel: typeof parallel === "number" ? parallel : 1,
    ...(ticked === "done" ? { ticked: true } : {}),
  };
}

function sourceOf(listed: Json | undefined, file: Json | undefined): ItemSource | undefined {
  if ((listed === undefined) === (file === undefined)) return undefined;
  if (file !== undefined) return typeof file === "string" && file.trim() !== "" ? { file: file.trim() } : undefined;
  if (Array.isArray(listed)) return listed.length === 0 ? undefined : { in: listed };
  const [, step, field] = (typeof listed === "string" && /^([\p{L}\p{N}_-]+)\.([\p{L}\p{N}_-]+)$/u.exec(listed)) || [];
  if (step === undefined || field === undefined) return undefined;
  return step === "inputs" ? { input: field } : { step, field };
}

function readCollect(written: Json, complain: Complain): readonly Collected[] {
  if (!isObject(written)) {
    complain(["collect"], "collect must be a mapping such as {findings: look.findings}");
    return [];
  }
  return Object.entries(written).flatMap(([field, from]) => {
    const [, step, name] = (typeof from === "string" && /^([\p{L}\p{N}_-]+)\.([\p{L}\p{N}_-]+)$/u.exec(from)) || [];
    if (step !== undefined && name !== undefined && isName(field)) return [{ field, step, from: name }];
    complain(["collect", field], `collect.${field} must be STEP.FIELD of the called workflow`);
    return [];
  });
}

const isName = (name: string): boolean => /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u.test(name);

const areNames = (value: Json): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string" && one.trim() !== "");
