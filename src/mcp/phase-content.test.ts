import { expect, test } from "vitest";
import type { Shown } from "../engine/reply.ts";
import type { Gate, Requirement } from "../evidence/gate.ts";
import { briefCriteriaOf, contentOf, criteriaOf, openedContentOf } from "./phase-content.ts";

const need = (field: string, more: Partial<Requirement> = {}): Requirement => ({
  ...{ field, type: "integer", required: true, description: `how many ${field} there are`, rules: [] },
  ...more,
});

const gate: Gate = {
  requirements: [need("guests"), need("tables", { required: false }), need("pots", { description: "pots of tea" })],
  comparisons: [
    { left: { field: "guests" }, is: "at_most", right: { field: "tables" }, message: "a table for each" },
    { left: { field: "all", step: 1 }, is: "at_most", right: { value: 9 }, message: "no more than nine" },
  ],
  approval: false,
  examples: {},
  rulesHold: false,
};

const shown = (text: string): Shown => ({
  ...{ workflow: "survey", step: "2", auto: true, text, warnings: [], gate },
  parts: [
    { part: "1", name: "Count" },
    { part: "2", name: "Ask" },
  ],
});

test("whoever comes to a phase is told type and rule of a field that its text names, and all about any other", () => {
  const { required_evidence, also } = briefCriteriaOf(shown("Count the guests. Hand in `guests`, with pots of tea."));
  expect(required_evidence).toEqual({
    guests: { type: "integer", rule: "at most tables" },
    tables: { type: "integer", required: false, description: "how many tables there are" },
    pots: { type: "integer" },
  });
  expect(also).toEqual(["no more than nine"]);
});

test("a word of the text that only sounds like the field does not name it", () => {
  const { required_evidence } = briefCriteriaOf(shown("Count the guests."));
  expect(required_evidence).toMatchObject({ guests: { description: "how many guests there are" } });
});

test("whoever asks for a phase is told everything about its evidence", () => {
  const { required_evidence, also } = criteriaOf(shown("Hand in `guests`."));
  expect(required_evidence).toMatchObject({ guests: { required: true, description: "how many guests there are" } });
  expect(also).toEqual(["a table for each", "no more than nine"]);
});

test("tasks that the text speaks of by number are listed only where the phase is asked for", () => {
  const told = shown("Count them (task 1), then ask (task 2).");
  expect(openedContentOf(told)).not.toHaveProperty("tasks");
  expect(contentOf(told)).toHaveProperty("tasks");
  expect(openedContentOf(shown("Count them (task 1), then look into task 20."))).toHaveProperty("tasks");
});
