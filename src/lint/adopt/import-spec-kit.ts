import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { headingOf, type Imported, type ImportedPhase, phaseText, stepName, summaryEvidence } from "./imported-page.ts";

/** The results while the steps of a workflow are read. */
type Reading = {
  readonly phases: ImportedPhase[];
  readonly called: Map<string, readonly ImportedPhase[]>;
  readonly notCarried: string[];
  readonly name: string;
};

/** Imports a workflow of spec-kit: steps become phases, gates approvals, loops and branches conditions and routes. */
export function importSpecKit(value: JsonObject): Imported | { readonly problem: string } {
  const about = isObject(value.workflow) ? value.workflow : {};
  const name = typeof about.id === "string" ? about.id : "workflow";
  const reading: Reading = { phases: [], called: new Map(), notCarried: [], name };
  readSteps(value.steps ?? [], [], reading);
  if (reading.phases.length === 0) return { problem: "it has no steps" };
  const inputs = isObject(value.inputs) ? value.inputs : {};
  for (const key of ["requires", "integration"])
    if (value[key] !== undefined || about[key] !== undefined)
      reading.notCarried.push(`${key}: Waymark runs no integration; the assistant that is connected does the work`);
  const isAborted = JSON.stringify(value).includes('"on_reject":"abort"');
  return {
    name,
    title: typeof about.name === "string" ? about.name : headingOf(name),
    description: typeof about.description === "string" ? about.description : "",
    inputs: Object.fromEntries(Object.entries(inputs).map(([key, one]) => [key, inputOf(isObject(one) ? one : {})])),
    ...(isAborted ? { outcomes: ["done", "aborted"] } : {}),
    phases: reading.phases,
    called: reading.called,
    notCarried: [...new Set(reading.notCarried)],
  };
}

function inputOf({ type = "string", required, default: fallback, enum: oneOf, prompt }: JsonObject): JsonObject {
  return {
    type,
    ...(required === true ? { required } : {}),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(Array.isArray(oneOf) ? { one_of: oneOf } : {}),
    ...(typeof prompt === "string" ? { description: prompt } : {}),
  };
}

function readSteps(steps: Json, when: readonly string[], reading: Reading): void {
  for (const step of Array.isArray(steps) ? steps.filter(isObject) : []) readStep(step, when, reading);
}

function readStep(step: JsonObject, when: readonly string[], reading: Reading): void {
  const { id = "step", type = step.command === undefined ? "unknown" : "command" } = step;
  const name = String(id);
  const add = (text: string, gate: JsonObject): void => {
    const passed = when.length === 0 ? {} : { when: when.length === 1 ? (when[0] ?? "") : [...when] };
    reading.phases.push({ title: headingOf(name), text, gate: { ...passed, ...gate } });
  };
  if (step.continue_on_error === true) reading.notCarried.push(`${name}: continue_on_error`);
  switch (type) {
    case "command": {
      const args = isObject(step.input) ? filled(step.input.args, name, reading) : "";
      add(
        `Run the command \`/${String(step.command)}\`${args === "" ? "." : ` with: ${args}`}`,
        claim("What the command produced, and where it is"),
      );
      return;
    }
    case "prompt":
      add(filled(step.prompt, name, reading), claim("What was found or done"));
      return;
    case "shell": {
      const run = typeof step.run === "string" ? step.run.trim() : "";
      const isPlain = /^[\w@./:=+-]+(?: [\w@./:=+-]+)*$/.test(run);
      if (!isPlain)
        reading.notCarried.push(
          `${name}: the command line needs a shell or values, so the assistant runs it and nothing checks it`,
        );
      const check = isPlain
        ? { checks: [{ name: stepName(name), run: run.split(" ") }] }
        : claim("The exit code and the last lines of the output");
      add(`Run \`${run}\`.`, check);
      return;
    }
    case "gate": {
      const options = (Array.isArray(step.options) ? step.options : [])
        .map(String)
        .filter((one) => !/^(?:approve|reject)$/i.test(one));
      const choice = {
        type: "string",
        required: true,
        description: "What the person chose",
        validator: { one_of: ["approve", ...options] },
      };
      if (options.length > 0)
        reading.notCarried.push(
          `${name}: the choice among ${options.join(", ")} is what the assistant says the person chose; the approval itself is asked of the person`,
        );
      const evidence = options.length === 0 ? summaryEvidence("What the person is asked to approve") : { choice };
      add(filled(step.message, name, reading), { evidence_schema: evidence, approval: true });
      return;
    }
    case "if":
      readBranch(step, when, reading);
      return;
    case "switch": {
      const cases = isObject(step.cases) ? Object.entries(step.cases) : [];
      const on = operand(step.expression);
      if (on === undefined)
        reading.notCarried.push(
          `${name}: its expression (${String(step.expression)}) is not understood, so every case is done`,
        );
      for (const [value, steps] of cases)
        readSteps(steps, on === undefined ? when : [...when, `${on} == ${JSON.stringify(value)}`], reading);
      const others = cases.map(([value]) => `${on} != ${JSON.stringify(value)}`);
      readSteps(step.default ?? [], on === undefined ? when : [...when, ...others], reading);
      return;
    }
    case "while":
    case "do-while":
      readLoop(step, when, reading);
      return;
    case "fan-out":
      readFanOut(step, when, reading);
      return;
    case "fan-in":
      reading.notCarried.push(`${name}: a step with items waits for all of them by itself`);
      return;
    default:
      reading.notCarried.push(`${name}: steps of type ${String(type)} are unknown here; its text is kept`);
      add(
        `Do the step ${name} (${String(type)}):\n\n\`\`\`json\n${JSON.stringify(step, null, 1)}\n\`\`\``,
        claim("What was done"),
      );
  }
}

function claim(description: string): JsonObject {
  return { evidence_schema: summaryEvidence(description) };
}

function readBranch(step: JsonObject, when: readonly string[], reading: Reading): void {
  const condition = conditionOf(step.condition);
  if (condition === undefined)
    reading.notCarried.push(
      `${String(step.id)}: its condition (${String(step.condition)}) is not understood, so both branches are done`,
    );
  readSteps(step.then ?? [], condition === undefined ? when : [...when, condition.text], reading);
  readSteps(step.else ?? [], condition === undefined ? when : [...when, condition.negated], reading);
}

/** The key of routes in a gate file. */
const routesKey = "then";

/** A loop: its last phase leads back to its first. */
function readLoop(step: JsonObject, when: readonly string[], reading: Reading): void {
  const { id, type, condition: written, max_iterations: most = 5, steps } = step;
  const condition = conditionOf(written);
  const from = reading.phases.length;
  const first = type === "while" && condition !== undefined ? [...when, condition.text] : when;
  readSteps(steps ?? [], first, reading);
  const [start, last] = [reading.phases[from], reading.phases.at(-1)];
  if (start === undefined || last === undefined) return;
  const own = condition === undefined ? undefined : ownCondition(condition.text, last);
  if (own === undefined) {
    reading.notCarried.push(
      `${String(id)}: its condition (${String(written)}) reads something that its last step does not submit, so it is not repeated`,
    );
    return;
  }
  const route = { when: own, back_to: stepName(start.title), at_most: Math.min(100, Math.max(1, Number(most) || 5)) };
  reading.phases[reading.phases.length - 1] = { ...last, gate: { ...last.gate, [routesKey]: [route] } };
}

/** A condition on the fields of the phase itself, without its name; undefined if it reads another. */
function ownCondition(text: string, { title, gate }: ImportedPhase): string | undefined {
  const [, step, rest = ""] = /^([\p{L}\p{N}_]+)\.(.*)$/su.exec(text) ?? [];
  const field = /^[\p{L}\p{N}_]+/u.exec(rest)?.[0] ?? "";
  const isAsked = isObject(gate.evidence_schema) && gate.evidence_schema[field] !== undefined;
  return step === stepName(title) && isAsked ? rest : undefined;
}

function readFanOut(step: JsonObject, when: readonly string[], reading: Reading): void {
  const { id, items, max_concurrency: most = 1, step: one } = step;
  const name = String(id);
  const inner: Reading = { ...reading, phases: [] };
  if (isObject(one)) readStep(one, [], inner);
  const [, from, field] = /^\{\{\s*steps\.([\w-]+)\.output\.(\w+)\s*\}\}$/.exec(String(items)) ?? [];
  const source = from === undefined ? undefined : reading.phases.findIndex(({ title }) => title === headingOf(from));
  const at = source === undefined || source < 0 ? undefined : reading.phases[source];
  if (at === undefined || source === undefined || field === undefined || inner.phases.length === 0) {
    reading.notCarried.push(`${name}: its items (${String(items)}) come from no step, so it is one phase`);
    reading.phases.push(...inner.phases);
    return;
  }
  const schema = isObject(at.gate.evidence_schema) ? at.gate.evidence_schema : {};
  const asked = {
    ...schema,
    [field]: { type: "list", required: true, description: "The items for the steps that follow" },
  };
  reading.phases[source] = { ...at, gate: { ...at.gate, evidence_schema: asked } };
  const called = `${reading.name}-${name}`;
  reading.called.set(
    called,
    inner.phases.map((phase) => ({
      ...phase,
      text: phase.text.replaceAll(/\{\{\s*item(?:\.(\w+))?\s*\}\}/g, (_, own?: string) => `{{item.${own ?? "title"}}}`),
    })),
  );
  const each = { in: `${stepName(from ?? "")}.${field}`, parallel: Math.max(1, Number(most) || 1) };
  const passed = when.length === 0 ? {} : { when: [...when] };
  reading.phases.push({ title: headingOf(name), text: "", gate: { ...passed, for_each: each, workflow: called } });
}

type ReadCondition = { readonly text: string; readonly negated: string };

/** A condition of spec-kit in ours; undefined if it is more than one comparison. */
function conditionOf(written: Json | undefined): ReadCondition | undefined {
  const text = typeof written === "string" ? written.trim().replace(/^\{\{\s*|\s*\}\}$/g, "") : "";
  const [, left, sign, right] = /^(.+?)\s*(==|!=|<=|>=|<|>)\s*(.+)$/s.exec(text) ?? [];
  const [a, b] = [operand(left), operand(right)];
  if (a === undefined || b === undefined || sign === undefined) return undefined;
  const other = { "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">" }[sign] ?? "!=";
  return { text: `${a} ${sign} ${b}`, negated: `${a} ${other} ${b}` };
}

function operand(written: Json | undefined): string | undefined {
  const text = String(written ?? "")
    .trim()
    .replace(/^\{\{\s*|\s*\}\}$/g, "");
  if (/^(?:-?\d+(?:\.\d+)?|true|false)$/i.test(text)) return text.toLowerCase();
  const quoted = /^(['"])([^'"]*)\1$/.exec(text)?.[2];
  if (quoted !== undefined) return JSON.stringify(quoted);
  const input = /^inputs\.(\w+)$/.exec(text)?.[1];
  if (input !== undefined) return `inputs.${input}`;
  const [, step, field] = /^steps\.([\w-]+)\.output\.(\w+)$/.exec(text) ?? [];
  return step === undefined || field === undefined ? undefined : `${stepName(step)}.${field}`;
}

/** A text with the placeholders that Waymark can fill; others are named. */
function filled(text: Json | undefined, step: string, { notCarried }: Reading): string {
  return phaseText(text).replaceAll(/\{\{\s*([^}]+?)\s*\}\}/g, (whole, inside: string) => {
    const known = /^(?:inputs\.\w+|item\.\w+)$/.test(inside) ? inside : undefined;
    if (known === undefined) notCarried.push(`${step}: the placeholder ${whole} is not filled`);
    return known === undefined ? `(${inside})` : `{{${known}}}`;
  });
}
