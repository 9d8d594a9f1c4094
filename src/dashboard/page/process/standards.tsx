import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { SearchData } from "../../api/board-data.ts";
import { type Answer, getJson } from "../api-client.ts";
import { isNarrow } from "../shared/narrow.ts";
import { UntrustedLine, UntrustedText } from "../shared/untrusted-text.tsx";

/** Searches the standards as an assistant does. */
export function Standards(): VNode {
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<Answer<SearchData>>();
  useEffect(() => {
    if (query.trim().length < 2) return setFound(undefined);
    let isOver = false;
    const timer = setTimeout(async () => {
      const answered = await getJson<SearchData>(`search?query=${encodeURIComponent(query.trim().slice(0, 400))}`);
      if (!isOver) setFound(answered);
    }, 200);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [query]);
  return (
    <section class="standards">
      <input
        type="search"
        data-search
        placeholder={isNarrow.value ? "Search the standards" : "Search the standards, in your own words  /"}
        aria-label="Search the standards"
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      {found === undefined ? null : "no" in found ? (
        <p class="quiet">{found.no}</p>
      ) : found.data.results.length === 0 ? (
        <p class="quiet">No standards match.</p>
      ) : (
        <ol class="results">
          {found.data.results.slice(0, 8).map((result, at) => (
            <li key={at} class="card">
              <h3>
                <UntrustedLine text={result.section || result.file} most={100} />{" "}
                <code class="quiet small">
                  <UntrustedLine text={result.file} most={100} />
                </code>
              </h3>
              <p class="passage">
                <UntrustedText text={result.content} most={600} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
