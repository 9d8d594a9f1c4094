import type { VNode } from "preact";
import type { ShownSubmission } from "../../api/board-data.ts";
import { countEvidence, EvidenceBar } from "../inbox/evidence-bar.tsx";
import { CheckRows } from "../judging/checks.tsx";
import { TimeAgo } from "../shared/clock.tsx";
import { UntrustedLine, UntrustedText, UntrustedValue } from "../shared/untrusted-text.tsx";

type Field = ShownSubmission["evidence"][number];

/** One submission: its outcome, then its evidence sorted by status. */
export function SubmissionView({
  submission,
  number,
}: {
  readonly submission: ShownSubmission;
  readonly number: number;
}): VNode {
  const { evidence, outputs, content, checks, violations } = submission;
  const entries = Object.entries(outputs);
  return (
    <div class="submission">
      <p class="quiet small">
        Submitted <TimeAgo at={submission.at} />
        {submission.client === undefined ? null : (
          <>
            {" "}
            by <UntrustedLine text={submission.client} most={60} />
          </>
        )}
      </p>
      <Outcome submission={submission} number={number} />
      {evidence.length === 0 ? null : <EvidenceBar looked={countEvidence(evidence)} />}
      {evidenceGroups.map(({ standing: status, title, about, tone }) => {
        const own = evidence.filter((one) => one.standing === status);
        return own.length === 0 ? null : (
          <section key={status} class={`claims ${tone}`}>
            <h3>
              {title} <span class="quiet">{about}</span>
            </h3>
            <dl>
              {own.map((one) => (
                <Claim key={one.field} {...one} />
              ))}
            </dl>
          </section>
        );
      })}
      {checks.length === 0 ? null : (
        <section class="claims plain">
          <h3>Checks run by Waymark</h3>
          <CheckRows checks={checks} />
        </section>
      )}
      {violations.length === 0 ? null : (
        <section class="claims bad">
          <h3>Rule violations</h3>
          <ul class="rows">
            {violations.slice(0, 30).map(({ rule, file, line, message }) => (
              <li key={`${rule} ${file} ${line} ${message}`}>
                <code>
                  <UntrustedLine text={line === undefined ? file : `${file}:${line}`} most={80} />
                </code>
                <span>
                  <UntrustedText text={message} most={240} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {entries.length === 0 ? null : (
        <section class="claims plain">
          <h3>Outputs</h3>
          <dl>
            {entries.map(([field, value]) => (
              <Claim key={field} field={field} value={value} standing="word" />
            ))}
          </dl>
        </section>
      )}
      {content.length === 0 ? null : (
        <section class="claims plain">
          <h3>Files</h3>
          <ul class="files-list">
            {content.map(({ path, bytes, sha256 }) => (
              <li key={path}>
                <code>
                  <UntrustedLine text={path} most={120} />
                </code>
                <span class="quiet small">
                  {bytes.toLocaleString("en")} B · {sha256.slice(0, 7)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

const evidenceGroups = [
  { standing: "differs", title: "Contradicted", about: "Waymark found something else", tone: "bad" },
  { standing: "found", title: "Verified", about: "found by Waymark", tone: "good" },
  { standing: "agrees", title: "Claimed and verified", about: "Waymark found the same", tone: "good" },
  { standing: "word", title: "Claimed", about: "not verified", tone: "warn" },
] as const;

function Claim({
  field,
  value,
  standing: status,
  check,
  found,
}: Omit<Field, "standing"> & { readonly standing: Field["standing"] }): VNode {
  return (
    <div>
      <dt>
        <UntrustedLine text={field.replaceAll("_", " ")} most={60} />
      </dt>
      <dd>
        <UntrustedValue value={value} />
        {status === "differs" ? (
          <span class="fact">
            found: <UntrustedValue value={found ?? null} />
          </span>
        ) : null}
        {check === undefined ? null : (
          <span class="quiet small">
            {" "}
            by <UntrustedLine text={check} most={40} />
          </span>
        )}
      </dd>
    </div>
  );
}

function Outcome({
  submission: { outcome, missing = [], sameGaps, reason, code },
  number,
}: {
  readonly submission: ShownSubmission;
  readonly number: number;
}): VNode | null {
  switch (outcome) {
    case "refused":
      return (
        <div class="outcome bad">
          <strong>Refused{missing.length > 0 ? ". Missing:" : ""}</strong>
          {missing.length === 0 && code !== undefined ? <code>{code}</code> : null}
          <ul>
            {missing.slice(0, 40).map((text) => (
              <li key={text}>
                <UntrustedText text={text} most={300} />
              </li>
            ))}
          </ul>
          {sameGaps === true ? (
            <p class="same">Same as before: still missing what submission {number - 1} lacked.</p>
          ) : null}
        </div>
      );
    case "declined":
      return (
        <div class="outcome warn">
          <strong>Rejected by a person</strong>
          {reason === undefined ? null : (
            <blockquote>
              <UntrustedText text={reason} />
            </blockquote>
          )}
        </div>
      );
    case "checking":
      return <p class="outcome plain">Checks are running.</p>;
    case "waits":
      return <p class="outcome warn">Complete. Waiting for approval.</p>;
    case "replaced":
      return <p class="outcome plain">Replaced by a newer submission before it was answered.</p>;
    case "completed":
      return null;
  }
}
