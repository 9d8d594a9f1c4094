import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { addWorkflow, callPhase, evidenceFor, fieldOf, plantWorkflow, sentinel } from "../phased.ts";
import { wholeOr } from "../whole.ts";
import { openProcess, openWire } from "../window.ts";

type Wire = ReturnType<typeof openWire>;

const phases = 8;
const calls = wholeOr(10_000, 400);
/** After so many calls a phase is completed: often enough that the last one is reached. */
const pace = Math.floor(calls / 90);

/** The same numbers at every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x7fffffff) * sides) % sides;
  };
}

const junk: readonly unknown[] = [
  0,
  -1,
  1,
  99,
  1.5,
  "1",
  "",
  null,
  true,
  [],
  {},
  "../../phases/2/phase.md",
  "phases/3",
  "*",
  "__proto__",
  "constructor",
  "{{phase}}",
  "Phase 2",
  "all",
  "next",
  "\u0000",
  "🦊",
  { $ref: "#" },
  ["1", 2],
  1e308,
  "9".repeat(300),
];

// Attack (tools): Learn anything of a phase that is not open (content, names, tasks, fields), or skip one
// -> Refused: nothing of it leaves by a tool, resource, prompt, error, session file, log or stderr
test(`the adversary: ${calls.toLocaleString("en")} calls over every door reach every phase, and see nothing of one that is not open`, async () => {
  const project = plantWorkflow({ phases });
  addWorkflow(project, { type: "other", phases });
  project.write(
    ".waymark/workflows/single.md",
    `---\ntitle: Single\n---\n# Single\n\n${Array.from({ length: phases }, (_, at) => at + 1)
      .map(
        (number) =>
          `## Phase ${number}: ${sentinel(number)} title\n\nDo ${sentinel(number)}.\n\n### Validation Gate\n\n- [ ] \`${fieldOf(number)}\`: number of ${sentinel(number)}, at least 1\n`,
      )
      .join("\n")}`,
  );
  for (let phase = 1; phase <= phases; phase++) {
    const owner = `workflow: survey\nphase: ${phase}`;
    project.write(
      `.waymark/standards/step-${phase}.md`,
      `---\n${owner}\ntags: [step]\n---\n# The ${sentinel(phase)} standard\n\nHow to ${sentinel(phase)} well.\n`,
    );
  }
  project.write(".waymark/standards/open.md", "# Naming\n\nHow to name the work of every phase and step.\n");
  const window = await openProcess(project.root);
  const wire = openWire(project.root);
  const clientInfo = { name: "adversary", version: "1" };
  await wire.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  const roll = dice(20_261_115);
  const pick = <T>(list: readonly T[]): T => list[roll(list.length)] as T;

  /** What each session has been shown, by right. */
  const open = new Map<string, number>();
  let shown = 0;
  const leaks: string[] = [];
  let skips = 0;
  const look = (text: string, right: number): void => {
    for (let phase = right + 1; phase <= phases; phase++) {
      const at = text.toLowerCase().indexOf(sentinel(phase).toLowerCase());
      if (at >= 0) leaks.push(`call ${shown}, at ${right}: ${text.slice(Math.max(0, at - 200), at + 40)}`);
    }
  };

  const start = async (workflow_type: string, target_file: string): Promise<void> => {
    const reply = await callPhase(window, "start_workflow", { workflow_type, target_file });
    if (!open.has(reply.session_id)) open.set(reply.session_id, 1);
    look(JSON.stringify(reply), open.get(reply.session_id) ?? 0);
  };
  for (const type of ["survey", "other", "single"]) await start(type, "a.ts");

  const transports: readonly (() => Promise<void>)[] = [
    async () => {
      const [session_id, right] = pick([...open]);
      const args = {
        session_id,
        requested_phase: pick([...Array(12).keys(), ...junk]),
        ...(roll(3) === 0 ? { task: pick([0, 1, 2, ...junk]) } : {}),
      };
      look(JSON.stringify(await attempt(wire, "get_phase_content", args)), right);
    },
    async () => {
      const [session_id, right] = pick([...open]);
      const phase = pick([...Array(12).keys()]);
      const evidence = pick<unknown>([
        evidenceFor(phase),
        { zanzibar_count: 1, [`count_${phase}`]: 1 },
        {},
        pick(junk),
        { [String(pick(junk))]: pick(junk) },
      ]);
      const reply = await attempt(wire, "complete_phase", {
        session_id,
        phase,
        evidence,
        confirmation: pick(["yes", ""]),
      });
      const passed =
        typeof reply === "object" && reply !== null && "checkpoint_passed" in reply && reply.checkpoint_passed === true;
      if (passed && phase > right) skips += 1;
      if (passed && phase === right && right < phases) open.set(session_id, right + 1);
      look(JSON.stringify(reply), open.get(session_id) ?? 0);
    },
    async () => {
      const [session_id, right] = pick([...open]);
      look(JSON.stringify(await attempt(wire, "get_workflow_state", { session_id })), right);
    },
    async () => {
      const most = Math.max(...open.values());
      look(
        JSON.stringify(await attempt(wire, "get_workflow_state", roll(2) === 0 ? {} : { session_id: pick(junk) })),
        most,
      );
    },
    async () => {
      const reply = await attempt(wire, "start_workflow", {
        workflow_type: pick([...junk, "survey/phases/2", "../workflows/survey"]),
        options: pick(junk),
      });
      look(JSON.stringify(reply), 1);
    },
    async () => {
      const lists = [window.client.listTools(), window.client.listPrompts(), window.client.listResources()];
      look(JSON.stringify(await Promise.all(lists)), 0);
    },
    async () => {
      const [session_id, right] = pick([...open]);
      const uri = pick([
        `waymark://sessions/${session_id}/state`,
        `waymark://sessions/${session_id}/artifacts`,
        `waymark://sessions/${session_id}/../../workflows/survey/phases/2/phase.md`,
        `file://${project.path(".waymark/workflows/survey/phases/2/phase.md")}`,
        `waymark://survey/phases/${roll(9)}`,
      ]);
      look(await said(window.client.readResource({ uri })), right);
    },
    async () => look(await said(window.client.getPrompt({ name: String(pick(["survey", "single", ...junk])) })), 0),
    async () => {
      const ref = { type: "ref/prompt" as const, name: "survey" };
      look(await said(window.client.complete({ ref, argument: { name: "phase", value: String(roll(9)) } })), 0);
    },
    async () => {
      const [session_id, right] = pick([...open]);
      const query = pick([
        sentinel(roll(phases) + 1),
        "how to do the work of a step well",
        `standard ${sentinel(8)} naming`,
      ]);
      const isSurvey = session_id.startsWith("survey-");
      const args = {
        query,
        n_results: 10,
        ...(roll(4) === 0 ? {} : { session_id }),
        ...(roll(3) === 0 ? { filter_phase: roll(10) } : {}),
        ...(roll(3) === 0 ? { filter_tags: ["step"] } : {}),
      };
      look(JSON.stringify(await attempt(wire, "search_standards", args)), isSurvey && "session_id" in args ? right : 0);
    },
    async () => {
      if (open.size < 12) await start(pick(["survey", "other", "single"]), `file-${roll(6)}.ts`);
    },
  ];
  // Reading and completing are where a leak would be; the other doors are tried often enough.
  const weighted = [transports[0], transports[0], transports[0], transports[1], transports[1], ...transports];
  for (; shown < calls; shown++) {
    await pick(weighted)?.();
    if (shown % pace === pace - 1) {
      const [session_id, right] = pick([...open]);
      const reply = await callPhase(window, "complete_phase", {
        session_id,
        phase: right,
        evidence: evidenceFor(right),
      });
      if (reply.checkpoint_passed === true && right < phases) open.set(session_id, right + 1);
      look(JSON.stringify(reply), open.get(session_id) ?? 0);
    }
  }

  // What lies in the project area and what the command line prints are doors too.
  const newest = Math.max(...open.values());
  for (const [session_id, right] of open) look(project.read(`.waymark/sessions/${session_id}.json`), right);
  for (const name of readdirSync(project.path(".waymark/journal/sessions"))) {
    const right = open.get(name.replace(/\.jsonl$/, "")) ?? 0;
    look(readFileSync(project.path(`.waymark/journal/sessions/${name}`), "utf8"), right);
  }
  look((await runCli(["status", "--root", project.root])).stdout, newest);
  look((await runCli(["search", sentinel(7), sentinel(8), "--json", "--root", project.root])).stdout, 0);
  look(window.stderr(), 0);
  expect({ leaks: leaks.slice(0, 3), skips, reached: newest }).toEqual({ leaks: [], skips: 0, reached: phases });
});

/** A bare connection: the official client checks every answer against its schema, which takes longer than the call. */
async function attempt(wire: Wire, name: string, args: Record<string, unknown>): Promise<unknown> {
  const result = await wire.request("tools/call", { name, arguments: args });
  return { ...(result?.structuredContent as object | undefined), result };
}

async function said(reply: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await reply);
  } catch (error) {
    return String(error);
  }
}
