import type { Condition } from "../../gates/condition.ts";
import type { Route, RouteTarget, Routing } from "../../gates/route.ts";
import { defined } from "../../kit/defined.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import type { GateSource } from "./gate-errors.ts";
import { callKeys, readCalls, type WrittenCalls } from "./read-calls.ts";
import { readCondition } from "./read-condition.ts";

/** The keys of a gate file about routes, as written. */
type WrittenRouting = {
  readonly when?: Json | undefined;
  readonly routes?: Json | undefined;
  readonly role?: Json | undefined;
  readonly approvalWhen?: Json | undefined;
  readonly calls?: WrittenCalls;
};

/** Reads `when`, `then`, `role`, what the step calls, and the condition of an approval; undefined if a gate file has none of them. */
export function readRouting(written: WrittenRouting, source: GateSource): Routing | undefined {
  const { when, routes, role, approvalWhen, calls: called = {} } = written;
  const calls = readCalls(called, (path, message, isKey) => source.complain(isKey ? "key" : "value", path, message));
  const [first] =
    (
      [
        ["when", when],
        ["then", routes],
        ["role", role],
        ["approval", approvalWhen],
        ...callKeys.map((key) => [key, called[key]] as const),
      ] as const
    ).find(([, one]) => one !== undefined) ?? [];
  if (first === undefined) return undefined;
  if (role !== undefined && (typeof role !== "string" || role.trim() === "" || role.length > 200))
    source.complain("value", ["role"], "role must be a text of at most 200 characters");
  return {
    ...defined({
      when: when === undefined ? undefined : conditionAt(["when"], when, source),
      approvalWhen: approvalWhen === undefined ? undefined : conditionAt(["approval", "when"], approvalWhen, source),
      routes: routes === undefined ? undefined : readRoutes(routes, source),
      role: typeof role === "string" ? role.trim() : undefined,
      calls,
    }),
    source: { file: source.file, line: source.lineOf([first]) },
  };
}

function conditionAt(path: readonly string[], written: Json, { complain }: GateSource): Condition | undefined {
  const read = readCondition(written);
  if ("condition" in read) return read.condition;
  complain("value", path, `${path.join(".")}: ${read.unusable}`);
  return undefined;
}

function readRoutes(written: Json, source: GateSource): readonly Route[] {
  if (!Array.isArray(written) || written.length === 0) {
    source.complain("value", ["then"], "then must be a list of routes");
    return [];
  }
  return written.flatMap((one: Json, index) => readRoute(one, ["then", String(index)], source) ?? []);
}

function readRoute(written: Json, path: readonly string[], source: GateSource): Route | undefined {
  const { complain, file, lineOf } = source;
  if (!isObject(written)) {
    complain("value", path, "a route must be a mapping with back_to, end or continue");
    return undefined;
  }
  const { when, back_to: _, end: __, continue: ___, at_most: atMost, only, ...others } = written;
  for (const key of Object.keys(others))
    complain(
      "key",
      [...path, key],
      `the key "${key}" of a route is unknown; use when, back_to, at_most, only, end, continue`,
    );
  const to = targetOf(written, path, source);
  if (to === undefined) return undefined;
  const isBack = "back" in to;
  if (isBack && !(typeof atMost === "number" && Number.isInteger(atMost) && atMost >= 1 && atMost <= 100))
    complain("value", [...path, "at_most"], "a route that goes back needs at_most, a whole number from 1 to 100");
  if (!isBack && atMost !== undefined)
    complain("value", [...path, "at_most"], "at_most belongs to a route that goes back");
  if (only !== undefined && !(isBack && typeof only === "string" && only.trim() !== ""))
    complain("value", [...path, "only"], "only names a field with items, and belongs to a route that goes back");
  const condition = when === undefined ? undefined : conditionAt([...path, "when"], when, source);
  return {
    ...defined({ when: condition }),
    to,
    ...(isBack && typeof atMost === "number" ? { atMost } : {}),
    ...(isBack && typeof only === "string" ? { only } : {}),
    source: { file, line: lineOf(path) },
  };
}

function targetOf(written: JsonObject, path: readonly string[], { complain }: GateSource): RouteTarget | undefined {
  const { back_to: back, end, continue: onward } = written;
  const given = [back, end, onward].filter((one) => one !== undefined);
  if (given.length === 1) {
    if (typeof back === "string" || typeof back === "number") return { back: String(back) };
    if (typeof end === "string" && end.trim() !== "") return { end: end.trim() };
    if (onward === true) return { onward };
  }
  complain("value", path, "a route needs one of back_to: STEP, end: OUTCOME, continue: true");
  return undefined;
}
