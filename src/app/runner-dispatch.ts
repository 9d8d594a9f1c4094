import { EventEmitter } from "node:events";
import type { RunnerDispatch } from "../engine/ports/runners.ts";
import type { Team } from "../engine/ports/team.ts";
import { canonicalText } from "../gates/check-verdict.ts";
import { parsedObject } from "../kit/json.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { PeoplePlaces } from "./list-approvers.ts";
import { countedRunners } from "./list-runners.ts";

type DispatchPlaces = PeoplePlaces & {
  readonly project: string;
  readonly team: Pick<Team, "queue" | "sightings" | "signals">;
  /** The address for people. */
  readonly url: () => string;
};

/** Opens the place at which a server of one project asks runners for checks. */
export function runnerDispatch({ project, team, url, ...places }: DispatchPlaces): RunnerDispatch {
  const changes = new EventEmitter().setMaxListeners(0);
  let isListening = false;
  const listen = (): void => {
    if (isListening) return;
    isListening = true;
    team.signals.listen((text) => {
      const checks = parsedObject(text)?.checks;
      if (typeof checks !== "string") return;
      changes.emit(checks);
      changes.emit("any");
    });
  };
  const nameOf = (stream: StreamId): string => canonicalText([project, { ...stream }]);
  return {
    project,
    queue: team.queue,
    sightings: team.sightings,
    wake: (stream) => team.signals.send(JSON.stringify({ checks: nameOf(stream) })),
    nextChange(ms, stream) {
      listen();
      const event = stream === undefined ? "any" : nameOf(stream);
      return new Promise((done) => {
        const end = (): void => {
          clearTimeout(late);
          changes.off(event, end);
          done();
        };
        const late = setTimeout(end, ms);
        changes.once(event, end);
      });
    },
    async counts({ key, level, runner }) {
      if (runner === undefined) return level === "local"; // a bridge's own key
      return (await countedRunners(places)).some((one) => one.key === key && one.level === level);
    },
    startCommand: (level) =>
      level === "local"
        ? `waymark runner --url ${url()} --project ${project}`
        : `waymark runner --url ${url()} --project ${project} with a key that an approver trusts as independent`,
  };
}
