import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { callPhase, evidenceFor, fieldOf, type PhaseResult, plantWorkflow } from "../phased.ts";
import { openWindow, type Window } from "../window.ts";

type Artifacts = Record<string, Record<string, unknown>>;

async function begin(
  phases: number,
  options?: Record<string, unknown>,
): Promise<{ window: Window; session_id: string }> {
  const window = await openWindow(plantWorkflow({ phases }).root);
  const start = { workflow_type: "survey", target_file: "src/a.ts", ...(options ? { options } : {}) };
  return { window, session_id: (await callPhase(window, "start_workflow", start)).session_id };
}

const longText = (phase: number): string => `Phase ${phase} found guests, tables and pots of tea. `.repeat(60);

/** What a thorough assistant hands in at every phase: small facts, a long report and a long list. */
const outputsOf = (phase: number): Record<string, unknown> => ({
  [`total_${phase}`]: phase * 111,
  [`share_${phase}`]: phase / 4,
  [`sound_${phase}`]: phase % 2 === 0,
  [`verdict_${phase}`]: `part ${phase} is fine`,
  [`report_${phase}`]: longText(phase),
  [`items_${phase}`]: Array.from({ length: 80 }, (_, at) => `item ${phase}-${at}`),
});

/** Every small fact of these phases is there, under its phase. */
function expectSmallFacts(artifacts: Artifacts | undefined, phases: number): void {
  expect(Object.keys(artifacts ?? {}).map(Number)).toEqual(Array.from({ length: phases }, (_, at) => at + 1));
  for (let phase = 1; phase <= phases; phase++) {
    expect(artifacts?.[phase], `phase ${phase}`).toMatchObject({
      [fieldOf(phase)]: 1,
      [`total_${phase}`]: phase * 111,
      [`share_${phase}`]: phase / 4,
      [`sound_${phase}`]: phase % 2 === 0,
      [`verdict_${phase}`]: `part ${phase} is fine`,
    });
  }
}

describe("artifacts of completed phases", () => {
  test("every completed phase is named in every reply, with its numbers, booleans and short texts", async () => {
    const { window, session_id } = await begin(9);
    for (let phase = 1; phase <= 8; phase++) {
      const submitted = { session_id, phase, evidence: evidenceFor(phase), outputs: outputsOf(phase) };
      expectSmallFacts((await callPhase(window, "complete_phase", submitted)).artifacts_available, phase);
    }
    const read = await callPhase(window, "get_phase_content", { session_id });
    expectSmallFacts(read.artifacts_from_previous, 8);
    expect(countTokens(JSON.stringify(read.artifacts_from_previous))).toBeLessThanOrEqual(1000);
    const skipped = await callPhase(window, "get_phase_content", { session_id, requested_phase: 10 });
    expect(skipped.error).toBe("phase_sequence_violation");
    expectSmallFacts(skipped.artifacts_available, 8);
    const gaps = await callPhase(window, "complete_phase", { session_id, phase: 9, evidence: {} });
    expect(gaps.error).toBe("incomplete_checkpoint");
    if (gaps.artifacts_available !== undefined) expectSmallFacts(gaps.artifacts_available, 8);
    const fresh = await callPhase(window, "start_workflow", { workflow_type: "survey", target_file: "src/a.ts" });
    expect(fresh.resumed).toBe(true);
  });

  test("small facts are never cut, however many phases there are", async () => {
    const { window, session_id } = await begin(41);
    let reply: PhaseResult | undefined;
    for (let phase = 1; phase <= 40; phase++) {
      const note = `${"n".repeat(110)} ${String(phase).padStart(3, "0")}`;
      const outputs = { note, count: phase, isDone: true, list: [1, 2, 3] };
      reply = await callPhase(window, "complete_phase", { session_id, phase, evidence: evidenceFor(phase), outputs });
      expect(reply.checkpoint_passed).toBe(true);
    }
    const artifacts = reply?.artifacts_available ?? {};
    expect(Object.keys(artifacts)).toHaveLength(40);
    for (let phase = 1; phase <= 40; phase++) {
      const note = `${"n".repeat(110)} ${String(phase).padStart(3, "0")}`;
      expect(artifacts[phase], `phase ${phase}`).toMatchObject({ note, count: phase, isDone: true });
    }
  });

  test("long texts and lists are cut, the oldest first, and it is said what is missing", async () => {
    const { window, session_id } = await begin(4);
    const text = (phase: number): string =>
      `Report ${phase}. ${"Guests want a quiet table near the window. ".repeat(50)}`;
    for (let phase = 1; phase <= 2; phase++) {
      const submitted = { session_id, phase, evidence: evidenceFor(phase), outputs: { report: text(phase) } };
      await callPhase(window, "complete_phase", submitted);
    }
    const { artifacts_from_previous: two = {} } = await callPhase(window, "get_phase_content", { session_id });
    expect(two[2]?.report).toBe(text(2));
    const cut = String(two[1]?.report);
    expect(cut.length).toBeLessThan(text(1).length);
    expect(JSON.stringify(two[1])).toMatch(/\d+ (more )?(characters|words|tokens)|of \d[\d,]*|get_workflow_state/);
    expect(countTokens(JSON.stringify(two))).toBeLessThanOrEqual(850);
  });

  test("a few small artifacts are there whole", async () => {
    const { window, session_id } = await begin(3);
    const outputs = { list: ["a", "b"], nested: { deep: [1, { x: true }] }, text: "t".repeat(300) };
    const passed = await callPhase(window, "complete_phase", {
      session_id,
      phase: 1,
      evidence: evidenceFor(1),
      outputs,
    });
    expect(passed.artifacts_available?.[1]).toMatchObject(outputs);
  });
});

describe("the whole of a phase's artifacts, through a tool", () => {
  type Page = PhaseResult & { next_page?: number };

  async function pagesOf(window: Window, session_id: string, phase: number): Promise<Page[]> {
    const pages: Page[] = [];
    for (let page: number | undefined, left = 50; left > 0; left--) {
      const asked = page === undefined ? {} : { page };
      const reply: Page = await callPhase(window, "get_workflow_state", { session_id, phase, ...asked });
      expect(reply.isError).toBe(false);
      pages.push(reply);
      page = reply.next_page;
      if (page === undefined || page === null) return pages;
    }
    throw new Error("the pages do not end");
  }

  test("one page for what fits, with every value", async () => {
    const { window, session_id } = await begin(3);
    const outputs = outputsOf(1);
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1), outputs });
    const pages = await pagesOf(window, session_id, 1);
    expect(pages).toHaveLength(1);
    const said = JSON.stringify(pages[0]);
    expect(said).toContain(longText(1));
    for (const item of outputs.items_1 as string[]) expect(said).toContain(`"${item}"`);
    expect(said).toContain('"total_1":111');
  });

  test("pages of about 4,000 tokens for what does not, and nothing is lost between them", async () => {
    const { window, session_id } = await begin(3);
    const numbered = (letter: string, count: number): string[] =>
      Array.from({ length: count }, (_, at) => `${letter}${String(at).padStart(5, "0")}`);
    const outputs = { words: numbered("w", 3000).join(" "), list: numbered("e", 2500), last: 42 };
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1), outputs });
    const pages = await pagesOf(window, session_id, 1);
    expect(pages.length).toBeGreaterThan(3);
    for (const { text: _, isError: __, ...data } of pages)
      expect(countTokens(JSON.stringify(data))).toBeLessThanOrEqual(4800);
    const said = pages.map(({ text: _, ...data }) => JSON.stringify(data)).join("\n");
    expect(numbered("e", 2500).filter((entry) => !said.includes(entry))).toEqual([]);
    // A long text may be cut inside a word where a page ends.
    expect(numbered("w", 3000).filter((word) => !said.includes(word)).length).toBeLessThanOrEqual(pages.length);
    expect(said).toMatch(/last[\\": ]+42/);
  });

  test("only of completed phases; a page that is not there is refused", async () => {
    const { window, session_id } = await begin(3);
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
    for (const phase of [3, 9])
      expect(await callPhase(window, "get_workflow_state", { session_id, phase })).toMatchObject({
        isError: true,
        error: "phase_sequence_violation",
      });
    const ahead = await callPhase(window, "get_workflow_state", { session_id, phase: 99 });
    expect(Object.keys(ahead)).toEqual(
      expect.arrayContaining(["violation_type", "reason", "current_phase_content", "artifacts_available", "progress"]),
    );
    expect(await callPhase(window, "get_workflow_state", { session_id, phase: 1, page: 99 })).toMatchObject({
      isError: true,
      error: "invalid_input",
    });
    expect(await callPhase(window, "get_workflow_state", { phase: 1 })).toMatchObject({ error: "invalid_input" });
  });
});

describe("the options of a session", () => {
  test("are in its replies, from the start on and when it is resumed", async () => {
    const options = { depth: 2, mode: "strict", names: ["x", "y"] };
    const { window, session_id } = await begin(3, options);
    const start = { workflow_type: "survey", target_file: "src/a.ts", options };
    const resumed = await callPhase(window, "start_workflow", start);
    expect(resumed).toMatchObject({ session_id, resumed: true, options });
    expect(await callPhase(window, "get_phase_content", { session_id })).toMatchObject({ options });
    expect(await callPhase(window, "get_workflow_state", { session_id })).toMatchObject({ options });
    const passed = { session_id, phase: 1, evidence: evidenceFor(1) };
    expect(await callPhase(window, "complete_phase", passed)).toMatchObject({ checkpoint_passed: true, options });
    const fresh = await callPhase(window, "start_workflow", { ...start, target_file: "src/b.ts" });
    expect(fresh).toMatchObject({ options });
  });
});
