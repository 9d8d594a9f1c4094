import { type Chunk, chunksOf } from "./chunks.ts";
import { type FrontMatter, frontMatterOf } from "./document-head.ts";
import { plain } from "./plain-line.ts";

/** A parsed standard: front matter, title, chunks, and the questions it lists. */
export type ParsedDocument = Omit<FrontMatter, "title" | "end" | "endLine"> & {
  readonly title: string;
  readonly text: string;
  readonly chunks: readonly Chunk[];
};

/** Parses one Markdown file; front matter and chunks cover all of it. */
export function parseDocument(text: string): ParsedDocument {
  const { title, end, endLine, ...head } = frontMatterOf(text);
  const chunks = chunksOf(text, end, endLine);
  const listed = chunks.filter(({ asks }) => asks).flatMap((chunk) => questionsIn(text.slice(chunk.start, chunk.end)));
  return {
    ...head,
    questions: [...head.questions, ...listed],
    title: title ?? chunks.find(({ headings }) => headings.length > 0)?.headings[0] ?? "",
    text,
    chunks,
  };
}

/** The items of a list of questions, without their bullets. */
function questionsIn(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const [, item] = /^\s*(?:[-*+]|\d+[.)])\s+(.+?)\s*$/.exec(line) ?? [];
    return item === undefined ? [] : [plain(item).replace(/^["“]|["”]$/g, "")];
  });
}
