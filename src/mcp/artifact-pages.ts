import type { PhaseArtifact } from "../words/session-view.ts";
import { guessTokens } from "./guess-tokens.ts";

/** One page costs about so many tokens. */
const pageTokens = 4000;
/** No page is longer than this, however little its characters cost. */
const pageCharacters = 14_000;

/** The whole of what a phase produced as pages of text, which put together are its JSON. */
export function artifactPages(artifact: PhaseArtifact): readonly string[] {
  const text = JSON.stringify(artifact, null, 1);
  const pages: string[] = [];
  for (let at = 0; at < text.length; ) {
    const page = pageAt(text, at);
    pages.push(page);
    at += page.length;
  }
  return pages;
}

function pageAt(text: string, start: number): string {
  let page = text.slice(start, start + pageCharacters);
  for (let tokens = guessTokens(page, pageTokens * 20); tokens > pageTokens; ) {
    page = page.slice(0, Math.max(1, Math.floor((page.length * pageTokens) / tokens)));
    tokens = guessTokens(page, pageTokens * 20);
  }
  return start + page.length >= text.length ? page : endedWell(page);
}

/** A page ends between lines or words where it can, and never within a character. */
function endedWell(page: string): string {
  const near = page.length - 400;
  const end = Math.max(page.lastIndexOf("\n"), page.lastIndexOf(" "));
  if (end > near && end > 0) return page.slice(0, end + 1);
  return /[\uD800-\uDBFF]$/.test(page) && page.length > 1 ? page.slice(0, -1) : page;
}
