import { digestOf } from "../kit/json.ts";
import type { Check } from "./check.ts";
import { describeComparison } from "./describe-rules.ts";
import type { Gate } from "./gate.ts";
import { fieldsOf } from "./judge-comparison.ts";

/** A requirement, check or rule set that a person waived: its name, the reason and the person. */
export type Waived = { readonly field: string; readonly reason: string; readonly by: string };

/** The name under which the rules of a gate are waived, as gate files list them. */
const rulesName = "rules";

/** The gate without what a person waived; a waived check takes the fields it gives with it. */
export function withoutWaived(gate: Gate, waived: readonly Pick<Waived, "field">[]): Gate {
  if (waived.length === 0) return gate;
  const names = new Set(waived.map(({ field }) => field));
  const { checks: all = [], ...rest } = gate;
  const checks = all.filter(({ name }) => !names.has(name));
  const gone = new Set(fieldsWaivedWith(gate, [...names]));
  return {
    ...rest,
    requirements: gate.requirements.filter(({ field }) => !gone.has(field)),
    comparisons: gate.comparisons.filter((one) => !fieldsOf(one).some((field) => gone.has(field))),
    rulesHold: gate.rulesHold && !names.has(rulesName),
    ...(checks.length === 0 ? {} : { checks }),
  };
}

/** The names under which something in a gate can be waived: fields, checks, and its rules. */
export function waivableNames({ checks = [], requirements, rulesHold }: WaivableGate = noGate): readonly string[] {
  const given = new Set(checks.flatMap(fieldsGivenBy));
  const fields = requirements.map(({ field }) => field).filter((field) => !given.has(field));
  return [...new Set([...fields, ...checks.map(({ name }) => name), ...(rulesHold ? [rulesName] : [])])];
}

type WaivableGate = Pick<Gate, "checks" | "requirements" | "rulesHold">;

const noGate: WaivableGate = { requirements: [], rulesHold: false };

/** Says why nothing of this name can be waived in a gate; undefined if it can. */
export function waiverProblem(gate: Gate | undefined, name: string): string | undefined {
  const names = waivableNames(gate);
  if (names.includes(name)) return undefined;
  const giving = gate?.checks?.find((check) => fieldsGivenBy(check).includes(name));
  if (giving !== undefined) return `${name} is given by the check ${giving.name}: waive ${giving.name} instead`;
  return names.length === 0
    ? "this step requires nothing that can be waived"
    : `this step has no requirement named ${name}; it requires ${names.join(", ")}`;
}

/** The fields that a gate does not ask for once these names are waived: a waived check takes the fields it gives with it. */
export function fieldsWaivedWith(
  { checks = [] }: Pick<Gate, "checks"> = {},
  names: readonly string[],
): readonly string[] {
  return [...names, ...checks.filter(({ name }) => names.includes(name)).flatMap(fieldsGivenBy)];
}

/** The rules between fields that a gate does not judge once these are waived, in words. */
export function rulesWaivedWith(gate: Gate | undefined, names: readonly string[]): readonly string[] {
  if (gate === undefined) return [];
  const left = new Set(
    withoutWaived(
      gate,
      names.map((field) => ({ field })),
    ).comparisons,
  );
  return gate.comparisons.filter((one) => !left.has(one)).map(describeComparison);
}

/** The digest that a signed answer or waiver names: of what it waives, and what follows. */
export function responseDigest(fields: readonly string[] = [], follows?: string): string {
  return digestOf([...new Set(fields), ...(follows === undefined ? [] : [{ follows }])]);
}

function fieldsGivenBy(check: Check): readonly string[] {
  return check.kind === "command" ? Object.keys(check.gives) : [];
}
