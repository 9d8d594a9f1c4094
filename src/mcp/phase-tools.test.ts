import { expect, it } from "vitest";
import { listAnswer } from "./phase-state.ts";
import { listPhaseTools } from "./phase-tools.ts";

const noWorkflow = { workflows: async () => [] };

it("without workflow and session there are none", async () => {
  expect(await listPhaseTools({ ...noWorkflow, all: async () => [] })).toEqual([]);
});

it("the list of sessions says what was found out about any of them", () => {
  expect(listAnswer([], ["forged"]).warnings).toEqual(["forged"]);
});
