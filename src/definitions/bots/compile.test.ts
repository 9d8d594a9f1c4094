import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wholeOr } from "../../../test/whole.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { filesOf } from "../snapshot/files-of.testing.ts";
import { gatesOf } from "./bot-gates.ts";
import { readBotTrees } from "./bot-trees.ts";
import { compileWorkflow, independentActions } from "./compile.ts";
import { botWith, compiled, onlyBot, writeDefinitions } from "./write-definitions.testing.ts";

const names = ({ steps }: Workflow) => steps.map(({ name }) => name);
const seedActions = {
  gather_context: { workflow: true, order: 1, next_action: "decide_planning_criteria" },
  decide_planning_criteria: { workflow: true, order: 2, next_action: "build_knowledge" },
  build_knowledge: { workflow: true, order: 3, next_action: "render_output", auto_progress: true },
  render_output: { workflow: true, order: 4, next_action: "validate_rules" },
  validate_rules: { workflow: true, order: 5, next_action: null },
  correct_bot: { workflow: false, order: null, next_action: null },
};

describe("the sequence of a behavior", () => {
  test("begins with the lowest order and follows next_action to the terminal action", () => {
    const definitions = writeDefinitions(botWith(seedActions));
    const workflow = compiled(definitions);
    expect(names(workflow)).toEqual([
      "gather_context",
      "decide_planning_criteria",
      "build_knowledge",
      "render_output",
      "validate_rules",
    ]);
    expect(workflow.closed).toBeUndefined();
    expect(workflow.steps.map(({ auto }) => auto)).toEqual([false, false, true, false, false]);
    expect(independentActions(onlyBot(definitions))).toEqual(["correct_bot"]);
  });

  test("a missing next_action key means the next by order, over gaps, the unordered last", () => {
    const orders = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 7, g: null };
    const actions = Object.fromEntries(Object.entries(orders).map(([name, order]) => [name, { name, order }]));
    const workflow = compiled(writeDefinitions(botWith(actions)));
    expect(names(workflow)).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
    expect(workflow.closed).toBeUndefined();
  });

  test("two actions with the same order both count, sorted by name, with a problem for the author", () => {
    const definitions = writeDefinitions(botWith({ b: { order: 1 }, a: { order: 1 }, c: { order: 2 } }));
    expect(names(compiled(definitions))).toEqual(["a", "b", "c"]);
    expect(onlyBot(definitions).problems).toMatchObject([
      {
        file: ".waymark/base_actions/b/action_config.json",
        message: "b has the same order as a (1), so they are sorted by name",
      },
    ]);
  });

  test("numbered folders and numbered next_actions are read without their number", () => {
    const definitions = writeDefinitions(
      botWith({
        "1_gather_context": { order: 1, next_action: "2_decide" },
        "2_decide": { order: 2, next_action: null },
      }),
    );
    expect(names(compiled(definitions))).toEqual(["gather_context", "decide"]);
  });

  test("a next_action that exists nowhere closes what follows and names the file", () => {
    const workflow = compiled(writeDefinitions(botWith({ a: { order: 1, next_action: "nowhere" }, b: { order: 2 } })));
    expect(names(workflow)).toEqual(["a"]);
    expect(workflow.closed).toMatchObject({
      file: ".waymark/base_actions/a/action_config.json",
      message: `next_action "nowhere" of a does not exist`,
    });
  });

  test("a next_action that leads back closes what follows", () => {
    const workflow = compiled(
      writeDefinitions(botWith({ a: { order: 1, next_action: "b" }, b: { order: 2, next_action: "a" } })),
    );
    expect(names(workflow)).toEqual(["a", "b"]);
    expect(workflow.closed?.message).toBe(`next_action "a" of b leads back to an earlier action`);
  });

  test("an independent action cannot follow", () => {
    const workflow = compiled(
      writeDefinitions(botWith({ a: { order: 1, next_action: "correct_bot" }, correct_bot: { workflow: false } })),
    );
    expect(names(workflow)).toEqual(["a"]);
    expect(workflow.closed?.message).toContain("independent");
  });

  test("a malformed action keeps the place that its predecessor gives it, and the rest goes on by order", () => {
    const workflow = compiled(writeDefinitions(botWith({ ...seedActions, decide_planning_criteria: "{ not json" })));
    expect(names(workflow).slice(0, 3)).toEqual(["gather_context", "decide_planning_criteria", "build_knowledge"]);
    expect(workflow.steps[1]).toMatchObject({
      auto: false,
      broken: { file: ".waymark/base_actions/decide_planning_criteria/action_config.json" },
    });
    expect(workflow.steps[1]?.unplaced).toBeUndefined();
  });

  test("a folder with instructions and no config that nothing leads to comes first", () => {
    const workflow = compiled(
      writeDefinitions(
        botWith({ a: { order: 2, next_action: null } }, { "base_actions/first/instructions.md": "Begin." }),
      ),
    );
    expect(workflow.steps[0]).toMatchObject({ name: "first", adrift: true, auto: false });
    expect(workflow.steps[0]?.broken?.message).toBe("the action config is missing");
    expect(names(workflow)).toEqual(["first", "a"]);
  });

  test("a folder with neither config nor instructions is no action", () => {
    const workflow = compiled(
      writeDefinitions(botWith({ a: { order: 1 } }, { "base_actions/notes/todo.txt": "later" })),
    );
    expect(names(workflow)).toEqual(["a"]);
  });

  test("a wrong value that would decide the sequence breaks the action; another one does not", () => {
    const broken = { workflow: { workflow: "no" }, order: { order: "soon" }, next: { next_action: 3 }, list: [] };
    for (const config of Object.values(broken)) {
      expect(compiled(writeDefinitions(botWith({ a: { order: 1 }, b: config }))).steps[0]).toMatchObject({
        adrift: true,
        name: "b",
      });
    }
    const definitions = writeDefinitions(botWith({ a: { name: 7, order: "1", auto_progress: "yes" } }));
    expect(compiled(definitions)).toEqual({ name: "shape", steps: [{ name: "a", auto: false }] });
    expect(onlyBot(definitions).problems).toHaveLength(3);
  });

  test("without any workflow action it is closed", () => {
    const workflow = compiled(writeDefinitions(botWith({ correct_bot: { workflow: false } })));
    expect(workflow).toMatchObject({
      name: "shape",
      steps: [],
      closed: { file: ".waymark/base_actions", message: "no action with workflow: true has a readable config" },
    });
  });
});

describe("a behavior with a list of its own", () => {
  const withList = (actions: unknown, more = {}) =>
    writeDefinitions(botWith(seedActions, { "bots/story_bot/behaviors/1_shape/behavior.json": { actions }, ...more }));

  test("walks that list, whatever order and next_action say", () => {
    const workflow = compiled(withList(["render_output", "1_gather_context"]));
    expect(names(workflow)).toEqual(["render_output", "gather_context"]);
    expect(workflow.closed).toBeUndefined();
  });

  test("may skip an action with a reason; without one it is skipped with a problem for the author", () => {
    const definitions = withList([
      { name: "gather_context", skip: "done by hand" },
      { name: "build_knowledge", skip: true, reason: "no need" },
      { name: "render_output", skip: true },
      { name: "validate_rules", skip: false },
    ]);
    expect(compiled(definitions).steps.map(({ skip }) => skip)).toEqual([
      "done by hand",
      "no need",
      "no reason given",
      undefined,
    ]);
    expect(onlyBot(definitions).problems).toMatchObject([
      {
        file: ".waymark/bots/story_bot/behaviors/1_shape/behavior.json",
        message: "skip of render_output has no reason",
      },
    ]);
  });

  test("a listed name without an action is a broken step that names the behavior's file", () => {
    const [step] = compiled(withList(["nothing_here", "correct_bot"])).steps;
    expect(step?.broken?.file).toBe(".waymark/bots/story_bot/behaviors/1_shape/behavior.json");
  });

  test("an independent action cannot be part of a sequence", () => {
    expect(compiled(withList(["gather_context", "correct_bot"])).steps[1]?.broken?.message).toContain("independent");
  });

  test("a list that cannot be understood closes the behavior", () => {
    for (const actions of ["gather_context", [], [{ skip: true }], [3]]) {
      const workflow = compiled(withList(actions));
      expect(workflow.steps).toEqual([]);
      expect(workflow.closed?.file).toBe(".waymark/bots/story_bot/behaviors/1_shape/behavior.json");
    }
    const malformed = writeDefinitions(botWith(seedActions, { "bots/story_bot/behaviors/shape/behavior.json": "{" }));
    expect(compiled(malformed).closed?.message).toContain("malformed");
  });

  test("the list may also be in the bot config, and an action listed twice keeps its first position", () => {
    const bot = { behaviors: [{ name: "shape", actions: ["gather_context", "gather_context", "validate_rules"] }] };
    expect(
      names(compiled(writeDefinitions({ ...botWith(seedActions), "bots/story_bot/bot_config.json": bot }))),
    ).toEqual(["gather_context", "validate_rules"]);
  });
});

describe("an action's folder inside a behavior", () => {
  const inBehavior = (file: string, content: unknown) =>
    writeDefinitions(botWith(seedActions, { [`bots/story_bot/behaviors/shape/${file}`]: content }));

  test("changes that action's config for this behavior only", () => {
    const definitions = writeDefinitions(
      botWith(seedActions, {
        "bots/story_bot/bot_config.json": { behaviors: ["shape", "discovery"] },
        "bots/story_bot/behaviors/shape/1_gather_context/action_config.json": {
          next_action: "validate_rules",
          auto_progress: true,
        },
      }),
    );
    expect(names(compiled(definitions))).toEqual(["gather_context", "validate_rules"]);
    expect(compiled(definitions).steps[0]?.auto).toBe(true);
    expect(compiled(definitions, "discovery").steps).toHaveLength(5);
    expect(compiled(definitions, "discovery").steps[0]?.auto).toBe(false);
  });

  test("a dangling next_action in it is blamed on it", () => {
    const workflow = compiled(inBehavior("gather_context/action_config.json", { next_action: "x" }));
    expect(workflow.closed?.file).toBe(".waymark/bots/story_bot/behaviors/shape/gather_context/action_config.json");
  });

  test("malformed, it breaks the action at the place it had", () => {
    const workflow = compiled(inBehavior("build_knowledge/action_config.json", "{"));
    expect(names(workflow)).toHaveLength(5);
    expect(workflow.steps[2]?.broken?.file).toContain("behaviors/shape/build_knowledge");
  });

  test("cannot take an action out of the sequence silently", () => {
    const workflow = compiled(inBehavior("build_knowledge/action_config.json", { workflow: false }));
    expect(workflow.steps[2]?.broken?.message).toContain("skip");
  });

  test("adds an action that only this behavior has, where its list names it", () => {
    const draw = { "bots/story_bot/behaviors/shape/draw/action_config.json": { auto_progress: true } };
    const list = { "bots/story_bot/behaviors/shape/behavior.json": { actions: ["draw", "gather_context"] } };
    expect(compiled(writeDefinitions(botWith(seedActions, { ...draw, ...list }))).steps[0]).toEqual({
      name: "draw",
      auto: true,
    });
    expect(names(compiled(writeDefinitions(botWith(seedActions, draw))))).not.toContain("draw");
  });

  test("belongs to the action whose name it has, or whose folder's name it has", () => {
    const workflow = compiled(
      writeDefinitions({
        ...botWith({ "1_gather": { name: "gather_context", order: 1 } }),
        "bots/story_bot/behaviors/shape/gather/action_config.json": { name: "anything", auto_progress: true },
      }),
    );
    expect(workflow.steps).toEqual([{ name: "gather_context", auto: true }]);
  });

  test("its gate comes before the base action's gate", () => {
    const definitions = inBehavior("gather_context/gate-definition.yaml", "approval: required");
    const base = { "base_actions/gather_context/gate-definition.yaml": "checks: [rules]" };
    expect(compiled(definitions).steps[0]?.gate?.approval).toBe(true);
    expect(compiled(writeDefinitions(botWith(seedActions, base))).steps[0]?.gate?.rulesHold).toBe(true);
  });

  test("for an action that does not exist it has no effect, with a problem for the author", () => {
    const definitions = inBehavior("gather_contxt/gate-definition.yaml", "approval: required");
    expect(readBotTrees(filesOf(definitions)).problems).toMatchObject([
      {
        file: ".waymark/bots/story_bot/behaviors/shape/gather_contxt",
        message: 'the folder has no effect: shape has no action gather_contxt; did you mean "gather_context"?',
      },
    ]);
  });
});

test("for any folders, compiling never throws, never lists a step twice, and every sound step exists", () => {
  const name = fc.constantFrom("a", "b", "c", "d", "2_e", "f");
  const value = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 4 }), fc.boolean(), name, fc.constant([]));
  const config = fc.oneof(
    fc.record(
      { name: value, workflow: value, order: value, next_action: value, auto_progress: value },
      { requiredKeys: [] },
    ),
    fc.record({ workflow: fc.boolean(), order: fc.nat(5), next_action: fc.option(name) }, { requiredKeys: [] }),
    fc.constantFrom("", "{", "[]", "null"),
  );
  const listed = fc.array(fc.oneof(name, value, fc.record({ name: value, skip: value }, { requiredKeys: [] })));
  const tree = fc.record(
    {
      base: fc.dictionary(name, config),
      own: fc.dictionary(name, config),
      overrides: fc.dictionary(name, config),
      gates: fc.dictionary(name, fc.constantFrom("", "approval: true", "what: 1")),
      list: fc.oneof(listed, value),
      instructions: fc.array(name),
    },
    { requiredKeys: ["base"] },
  );
  fc.assert(
    fc.property(tree, ({ base, own = {}, overrides = {}, gates = {}, list, instructions = [] }) => {
      const files: Record<string, unknown> = { "bots/b/bot_config.json": { behaviors: ["shape"] } };
      for (const [at, content] of Object.entries(base)) files[`base_actions/${at}/action_config.json`] = content;
      for (const [at, content] of Object.entries(own)) files[`bots/b/base_actions/${at}/action_config.json`] = content;
      for (const [at, content] of Object.entries(overrides))
        files[`bots/b/behaviors/shape/${at}/action_config.json`] = content;
      for (const [at, content] of Object.entries(gates)) files[`base_actions/${at}/gate-definition.yaml`] = content;
      for (const at of instructions) files[`base_actions/${at}/instructions.md`] = "Do.";
      if (list !== undefined) files["bots/b/behaviors/shape/behavior.json"] = { actions: list };

      const definitions = filesOf(writeDefinitions(files));
      for (const bot of readBotTrees(definitions).bots) {
        const existing = [
          ...bot.actions.filter(({ config, stray }) => config !== undefined || !stray).map(({ name }) => name),
          ...bot.behaviors.flatMap(({ overrides = [] }) => overrides.map(({ name }) => name)),
        ];
        for (const behavior of bot.behaviors) {
          const { steps, closed } = compileWorkflow(bot, behavior, gatesOf(bot));
          expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
          for (const { name, broken } of steps) if (broken === undefined) expect(existing).toContain(name);
          expect(steps.length > 0 || closed !== undefined).toBe(true);
        }
      }
    }),
    { numRuns: wholeOr(150, 40) },
  );
});
