import { expect, it, onTestFinished } from "vitest";
import { localTime } from "./local-time.ts";

it("a time is shown in the zone of the machine", () => {
  const { TZ } = process.env;
  onTestFinished(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  process.env.TZ = "Europe/Berlin";
  expect(localTime("2026-07-01T22:05:09.000Z")).toBe("2026-07-02 00:05");
  expect(localTime("2026-07-01T22:05:09.000Z", "second")).toBe("2026-07-02 00:05:09");
  expect(localTime("no time")).toBe("no time");
});
