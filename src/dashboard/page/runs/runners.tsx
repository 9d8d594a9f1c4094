import type { VNode } from "preact";
import type { BoardRunner } from "../../api/board-data.ts";
import { TimeAgo } from "../shared/clock.tsx";
import { UntrustedLine } from "../shared/untrusted-text.tsx";

/** The runners of the project, so that a step that waits for one can be explained. */
export function Runners({ runners }: { readonly runners: readonly BoardRunner[] }): VNode {
  return (
    <section aria-labelledby="runners">
      <h2 id="runners">Runners</h2>
      <ul class="plain">
        {runners.map(({ name, level, problem, seen }) => (
          <li key={name}>
            <strong>
              <UntrustedLine text={name} most={60} />
            </strong>{" "}
            <span class="quiet small">
              {level ?? <UntrustedLine text={`does not count: ${problem ?? ""}`} most={160} />}
              {" · "}
              {seen === undefined ? (
                "not seen yet"
              ) : (
                <>
                  last seen <TimeAgo at={seen} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
