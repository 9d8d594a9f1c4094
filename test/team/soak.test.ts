import { expect, it } from "vitest";
import { soak } from "../../scripts/soak-run.mjs";
import { wholeOr } from "../whole.ts";

it.runIf(wholeOr(true, false))("the same with a bridge before every client", async () => {
  const how = { clients: 12, faults: 6, between: 40 };
  const { acknowledged, lost, doubled, forks, histories } = await soak({ ...how, isBridged: true });
  expect({ lost, doubled, forks, histories }).toEqual({ lost: 0, doubled: 0, forks: 0, histories: how.clients });
  expect(acknowledged).toBeGreaterThanOrEqual(how.between * (how.faults + 2));
});

it("replicas killed, PostgreSQL restarted, the primary lost: what was acknowledged stands once, in chains that are whole", async () => {
  const how = wholeOr({ clients: 40, faults: 6, between: 80 }, { clients: 3, faults: 2, between: 5 });
  const { acknowledged, lost, doubled, forks, histories } = await soak(how);
  expect({ lost, doubled, forks, histories }).toEqual({ lost: 0, doubled: 0, forks: 0, histories: how.clients });
  expect(acknowledged).toBeGreaterThanOrEqual(how.between * (how.faults + 2));
});
