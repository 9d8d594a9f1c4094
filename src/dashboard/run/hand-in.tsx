import type { VNode } from "preact";
import type { ShownHandIn } from "../../http/board/board-data.ts";
import { LookedBar, lookedAt } from "../inbox/looked.tsx";
import { Badge } from "../shared/frame.tsx";
import { lasting, Moment } from "../shared/moment.tsx";
import { OutsideLine, OutsideText, OutsideValue } from "../shared/outside-text.tsx";

type Field = ShownHandIn["evidence"][number];

/** One hand-in: what became of it and why, then claim beside fact, sorted by how far it was looked at. */
export function HandInShown({ handIn, number }: { readonly handIn: ShownHandIn; readonly number: number }): VNode {
  const { evidence, outputs, content, checks, violations } = handIn;
  const entries = Object.entries(outputs);
  return (
    <div class="hand-in">
      <p class="quiet small">
        Handed in <Moment at={handIn.at} />
        {handIn.client === undefined ? null : (
          <>
            {" "}
            by <OutsideLine text={handIn.client} most={60} />
          </>
        )}
      </p>
      <Outcome handIn={handIn} number={number} />
      {evidence.length === 0 ? null : <LookedBar looked={lookedAt(evidence)} />}
      {groups.map(({ standing, title, about, tone }) => {
        const own = evidence.filter((one) => one.standing === standing);
        return own.length === 0 ? null : (
          <section key={standing} class={`claims ${tone}`}>
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
          <h3>Checks that Waymark ran</h3>
          <ul class="rows">
            {checks.map(({ name, status, summary, seconds }) => (
              <li key={name}>
                <Badge tone={status === "passed" ? "good" : "bad"} text={status} />
                <strong>
                  <OutsideLine text={name} most={60} />
                </strong>
                <span class="quiet small">
                  <OutsideText text={summary} most={240} />
                  {seconds === undefined ? "" : ` (${lasting(seconds)})`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {violations.length === 0 ? null : (
        <section class="claims bad">
          <h3>Rules found broken</h3>
          <ul class="rows">
            {violations.slice(0, 30).map(({ rule, file, line, message }) => (
              <li key={`${rule} ${file} ${line} ${message}`}>
                <code>
                  <OutsideLine text={line === undefined ? file : `${file}:${line}`} most={80} />
                </code>
                <span>
                  <OutsideText text={message} most={240} />
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
                  <OutsideLine text={path} most={120} />
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

const groups = [
  { standing: "differs", title: "Found otherwise", about: "the claim is not what Waymark found", tone: "bad" },
  { standing: "found", title: "Seen", about: "found by Waymark itself", tone: "good" },
  { standing: "agrees", title: "Agrees", about: "claimed, and found so", tone: "good" },
  { standing: "word", title: "On the assistant's word", about: "right in form, seen by nobody", tone: "warn" },
] as const;

function Claim({
  field,
  value,
  standing,
  check,
  found,
}: Omit<Field, "standing"> & { readonly standing: Field["standing"] }): VNode {
  return (
    <div>
      <dt>
        <OutsideLine text={field.replaceAll("_", " ")} most={60} />
      </dt>
      <dd>
        <OutsideValue value={value} />
        {standing === "differs" ? (
          <span class="fact">
            found: <OutsideValue value={found ?? null} />
          </span>
        ) : null}
        {check === undefined ? null : (
          <span class="quiet small">
            {" "}
            by <OutsideLine text={check} most={40} />
          </span>
        )}
      </dd>
    </div>
  );
}

function Outcome({
  handIn: { outcome, missing = [], sameGaps, reason, code },
  number,
}: {
  readonly handIn: ShownHandIn;
  readonly number: number;
}): VNode | null {
  switch (outcome) {
    case "refused":
      return (
        <div class="outcome bad">
          <strong>Refused{missing.length > 0 ? ". What was missing:" : ""}</strong>
          {missing.length === 0 && code !== undefined ? <code>{code}</code> : null}
          <ul>
            {missing.slice(0, 40).map((text) => (
              <li key={text}>
                <OutsideText text={text} most={300} />
              </li>
            ))}
          </ul>
          {sameGaps === true ? (
            <p class="same">The same gaps as in hand-in {number - 1}: nothing that was missing came.</p>
          ) : null}
        </div>
      );
    case "declined":
      return (
        <div class="outcome warn">
          <strong>Sent back by a person</strong>
          {reason === undefined ? null : (
            <blockquote>
              <OutsideText text={reason} />
            </blockquote>
          )}
        </div>
      );
    case "checking":
      return <p class="outcome plain">Its checks run now.</p>;
    case "waits":
      return <p class="outcome warn">Complete in form. It waits for a person's word.</p>;
    case "replaced":
      return <p class="outcome plain">Handed in otherwise before anybody answered.</p>;
    case "completed":
      return null;
  }
}
