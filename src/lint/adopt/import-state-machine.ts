import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { headingOf, type Imported, type ImportedPhase, phaseText, stepName, summaryEvidence } from "./imported-page.ts";

type State = {
  readonly name: string;
  readonly body: JsonObject;
  readonly transitions: readonly Transition[];
};

type Transition = { readonly trigger: string; readonly to: string; readonly body: JsonObject };

/** Imports a state machine of codemcp: states become phases, transitions the routes between them. */
export function importStateMachine(value: JsonObject): Imported | { readonly problem: string } {
  const { name, description, states, initial_state: initial } = value;
  if (!isObject(states) || Object.keys(states).length === 0) return { problem: "it has no states" };
  const all = inOrder(Object.entries(states).map(stateOf), typeof initial === "string" ? initial : "");
  const unknown = all.flatMap(({ name: from, transitions }) =>
    transitions
      .filter(({ to }) => !all.some((one) => one.name === to))
      .map(({ to }) => `${from} leads to ${to}, which is no state`),
  );
  const notCarried: string[] = [...unknown];
  const phases = all.map((state, at) => phaseOf(state, at, all, notCarried));
  const variables = [...new Set(JSON.stringify(states).match(/\$[A-Z][A-Z_]{2,}/g) ?? [])];
  if (variables.length > 0) notCarried.push(`variables in the texts are not filled: ${variables.join(", ")}`);
  return {
    name: typeof name === "string" ? name : "workflow",
    title: headingOf(typeof name === "string" ? name : "workflow"),
    description: typeof description === "string" ? description : "",
    phases,
    notCarried,
  };
}

function stateOf([name, body]: readonly [string, Json]): State {
  const own = isObject(body) ? body : {};
  const written = Array.isArray(own.transitions) ? own.transitions.filter(isObject) : [];
  const transitions = written.flatMap((one): Transition[] =>
    typeof one.to === "string" ? [{ trigger: String(one.trigger ?? one.to), to: one.to, body: one }] : [],
  );
  return { name, body: own, transitions };
}

/** The states from the initial one on; those that nothing reaches come last. */
function inOrder(states: readonly State[], initial: string): readonly State[] {
  const first = states.find(({ name }) => name === initial);
  return first === undefined ? states : [first, ...states.filter((one) => one !== first)];
}

/** Routes that go back may do so this often; a state machine has no such bound. */
const atMost = 5;

function phaseOf(
  { name, body, transitions }: State,
  at: number,
  all: readonly State[],
  notCarried: string[],
): ImportedPhase {
  const place = (state: string): number => all.findIndex((one) => one.name === state);
  const isAsked = transitions.length > 1 || transitions.some(({ to }) => place(to) !== at + 1);
  const triggers = [...new Set(transitions.map(({ trigger }) => trigger))];
  const then: Json[] = transitions.flatMap(({ trigger, to }): Json[] => {
    const target = place(to);
    if (target < 0 || target > at) return [];
    return [{ when: `trigger == ${JSON.stringify(trigger)}`, back_to: stepName(to), at_most: atMost }];
  });
  if (transitions.length === 0 && at < all.length - 1) then.push({ end: "done" });
  if (then.some((one) => isObject(one) && one.at_most !== undefined))
    notCarried.push(`${name} could lead back without end; here at most ${atMost} times, then a person decides`);
  const reviews = transitions.flatMap(({ body: { review_perspectives: asked } }) =>
    (Array.isArray(asked) ? asked : [])
      .filter(isObject)
      .map(({ perspective, prompt }) => `- ${String(perspective)}: ${String(prompt)}`),
  );
  if (reviews.length > 0)
    notCarried.push(`the reviews of ${name} are asked for in its text, and nothing checks that they happened`);
  const globs = Array.isArray(body.allowed_file_patterns)
    ? body.allowed_file_patterns.filter((one) => typeof one === "string")
    : [];
  const edits = globs.length === 0 || globs.includes("**/*") ? {} : { edits: globs };
  const passed = skips(at, all);
  const evidence = {
    ...(isAsked
      ? {
          trigger: {
            type: "string",
            required: true,
            description: triggerText(transitions),
            validator: { one_of: triggers },
          },
        }
      : {}),
    ...summaryEvidence("What was done in this phase, and how it was verified"),
  };
  const role = typeof body.required_capability === "string" ? { role: body.required_capability } : {};
  return {
    title: headingOf(name),
    text: [
      phaseText(body.description),
      phaseText(body.default_instructions),
      phaseText(body.additional_instructions),
      ...arrivals(name, all),
      ...(reviews.length === 0
        ? []
        : [`Before you leave this phase, have it reviewed:\n\n${reviews.map(phaseText).join("\n")}`]),
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
    gate: {
      ...(passed.length === 0 ? {} : { when: passed }),
      ...role,
      ...edits,
      evidence_schema: evidence,
      ...(then.length === 0 ? {} : { then }),
    },
  };
}

function triggerText(transitions: readonly Transition[]): string {
  const said = transitions.map(({ trigger, body }) => `${trigger}: ${String(body.transition_reason ?? "")}`.trim());
  return `What comes next. ${said.join("; ")}`;
}

/** The conditions that pass a state over: an earlier one led past it, and no later one has led back behind that one since. */
function skips(at: number, all: readonly State[]): Json[] {
  const place = (state: string): number => all.findIndex((one) => one.name === state);
  return all.slice(0, at).flatMap(({ name, transitions }, from) =>
    transitions.flatMap(({ trigger, to }): Json[] => {
      if (place(to) <= at) return [];
      const past = `${stepName(name)}.trigger != ${JSON.stringify(trigger)}`;
      const back = all
        .slice(at + 1)
        .filter((later) => later.transitions.some((one) => place(one.to) > from && place(one.to) <= at))
        .map((later) => `rounds(${stepName(later.name)}) > 0`);
      return [back.length === 0 ? past : { any: [past, ...back] }];
    }),
  );
}

/** Lists the instructions of the transitions that lead into a state. */
function arrivals(name: string, all: readonly State[]): readonly string[] {
  const lines = all.flatMap(({ name: from, transitions }) =>
    transitions.flatMap(({ to, trigger, body }) => {
      const said = phaseText(body.additional_instructions ?? body.instructions);
      return to === name && said !== ""
        ? [`- From ${headingOf(from)} (${trigger}): ${said.replaceAll(/\s+/g, " ")}`]
        : [];
    }),
  );
  return lines.length === 0 ? [] : [`Depending on where you come from:\n\n${lines.join("\n")}`];
}
