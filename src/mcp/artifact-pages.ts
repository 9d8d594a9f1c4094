import type { PhaseArtifact } from "../workflow/session-view.ts";
import { estimateTokens } from "./reply-tokens.ts";

/** The approximate size of a page, in tokens. */
const pageTokens = 4000;
/** The limit of a page, even if its characters cost little. */
const pageCharacters = 14_000;

/** Splits the artifacts of a phase into pages of text; joined they are its JSON. */
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
  for (let tokens = estimateTokens(page, pageTokens * 20); tokens > pageTokens; ) {
    page = page.slice(0, Math.max(1, Math.floor((page.length * pageTokens) / tokens)));
    tokens = estimateTokens(page, pageTokens * 20);
  }
  return start + page.length >= text.length ? page : trimToWord(page);
}

/** Ends a page between lines or words if it can, and never within a character. */
function trimToWord(page: string): string {
  const near = page.length - 400;
  const end = Math.max(page.lastIndexOf("\n"), page.lastIndexOf(" "));
  if (end > near && end > 0) return page.slice(0, end + 1);
  return /[\uD800-\uDBFF]$/.test(page) && page.length > 1 ? page.slice(0, -1) : page;
}
