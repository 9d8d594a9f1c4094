import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Plants a phased workflow of a realistic size: a page of text, two tasks and a gate of three fields for each phase. */
export function plantPhases(root, count) {
  const folder = join(root, ".waymark", "workflows", "bench");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "metadata.json"), JSON.stringify({ name: "Bench", total_phases: count }));
  for (let number = 1; number <= count; number++) {
    const phase = join(folder, "phases", String(number));
    mkdirSync(phase, { recursive: true });
    const lines = Array.from(
      { length: 30 },
      (_, at) => `${at + 1}. Look at part ${at + 1} and write down what it does.`,
    );
    writeFileSync(join(phase, "phase.md"), `# Phase ${number}: Part ${number}\n\n${lines.join("\n")}\n`);
    for (const task of [1, 2]) writeFileSync(join(phase, `task-${task}-look.md`), `# Task ${task}\n\nLook closely.\n`);
    writeFileSync(
      join(phase, "gate-definition.yaml"),
      `evidence_schema:
  count_${number}: { type: integer, required: true, description: how many, validator: greater_than_0 }
  names_${number}: { type: list, required: true, description: which ones, validator: min_length_1 }
  output_${number}: { type: string, required: true, description: what the command printed, validator: non_empty }
`,
    );
  }
}

/** Evidence that passes a planted phase. */
export function evidenceFor(phase) {
  return { [`count_${phase}`]: 3, [`names_${phase}`]: ["a", "b", "c"], [`output_${phase}`]: "three parts" };
}
