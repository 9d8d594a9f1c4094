import { describe, expect, it } from "vitest";
import { soakBehindProxy } from "../../scripts/soak-proxy.mjs";
import { findNginx } from "../../scripts/team/nginx.mjs";
import { wholeOr } from "../whole.ts";

const isWhole = wholeOr(true, false);
const nginx = isWhole ? findNginx() : undefined;

describe(`behind nginx${isWhole && nginx === undefined ? " (NOT RUN: there is no nginx here, and none could be installed)" : ""}`, () => {
  it.runIf(nginx !== undefined)(
    "rolling restarts and a paused replica: nothing is lost, doubled or completed for another step, and every failed call can be sent again",
    async () => {
      const how = { clients: 6, rounds: 4, between: 30 };
      const found = await soakBehindProxy({ nginx: nginx ?? "", ...how });
      const { lost, doubled, misplaced, problems, unexpected, restarted, paused } = found;
      expect({ lost, doubled, misplaced, problems, unexpected }).toEqual({
        ...{ lost: 0, doubled: 0, misplaced: 0, problems: 0 },
        unexpected: [],
      });
      expect([restarted, paused]).toEqual([6, 2]);
      expect(found.pages).toBeGreaterThan(0);
    },
    600_000,
  );
});
