/** One piece of a step's material that can be shown by itself. */
export type Piece = {
  readonly name: string;
  readonly text: string;
  /** What is said of it where it is not shown. */
  readonly brief?: string;
};

/** A material as a section of the text: what is always said, and pieces that may be shown later. */
export type Section = {
  readonly title: string;
  /** What its author says of it all; `mark` in it stands for the pieces. */
  readonly lead: string;
  readonly pieces: readonly Piece[];
};

/** Where the pieces of a section stand in its lead; they follow it where there is none. */
export const mark = "\u0000";

/** A part that a caller can ask for, and how long it is. */
export type Part = { readonly name: string; readonly size: number };

/** Shows what has room, whole sections first come first served; of the rest the list of its parts. */
export function arrange(
  sections: readonly Section[],
  most: number,
): { readonly text: string; readonly parts: readonly Part[] } {
  let room = most;
  const parts: Part[] = [];
  const shown = sections.map((section) => {
    const whole = sectionText(section, joined(section.pieces));
    const isShown = whole.length <= room || section.pieces.every(({ text, name }) => text.length < name.length + 40);
    const text = isShown ? whole : sectionText(section, listed(section.pieces));
    room = Math.max(0, room - text.length);
    if (!isShown) parts.push(...section.pieces.map(({ name, text: { length } }) => ({ name, size: length })));
    return text;
  });
  return { text: shown.filter((text) => text !== "").join("\n\n"), parts };
}

/** The longest that one part is shown at once. */
export const longestPage = 16_000;

/** One part by its name, in pages where it is long: `name`, then `name (2)`. */
export function pageOf(pieces: readonly Piece[], asked: string): string | undefined {
  for (const { name, text } of pieces) {
    const pages = pagesOf(text);
    const index = pages.findIndex((_, page) => asked === (page === 0 ? name : `${name} (${page + 1})`));
    if (index === -1) continue;
    const more = index + 1 < pages.length ? `\n\n(continues: part "${name} (${index + 2})")` : "";
    return `${pages[index]}${more}`;
  }
  return undefined;
}

/** The pieces with names of their own: the second of one name gets a number. */
export function named(pieces: readonly Piece[]): readonly Piece[] {
  const seen = new Map<string, number>();
  return pieces.map((piece) => {
    const count = (seen.get(piece.name) ?? 0) + 1;
    seen.set(piece.name, count);
    return count === 1 ? piece : { ...piece, name: `${piece.name}_${count}` };
  });
}

/** The texts of some pieces, one below the other. */
export function joined(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("\n\n");
}

function listed(pieces: readonly Piece[]): string {
  const lines = pieces.map(
    ({ name, text, brief = "" }) => `- ${name} (${sizeOf(text.length)})${brief === "" ? "" : `: ${brief}`}`,
  );
  return ['Each is shown whole when this tool is called with its name as "part":', ...lines].join("\n");
}

function sectionText({ title, lead, pieces }: Section, inner: string): string {
  if (pieces.length === 0 && lead.replaceAll(mark, "").trim() === "") return "";
  const body = lead.includes(mark)
    ? lead.replaceAll(mark, inner)
    : [lead, inner].filter((text) => text !== "").join("\n\n");
  return title === "" ? body : `## ${title}\n${body}`;
}

function sizeOf(characters: number): string {
  return characters < 1_000 ? `${characters} characters` : `${(characters / 1_000).toFixed(1)} KB`;
}

function pagesOf(text: string): readonly string[] {
  const pages: string[] = [];
  let rest = text;
  while (rest.length > longestPage) {
    const lineEnd = rest.lastIndexOf("\n", longestPage);
    const end = lineEnd > longestPage / 2 ? lineEnd : longestPage;
    pages.push(rest.slice(0, end));
    rest = rest.slice(end).replace(/^\n/, "");
  }
  return [...pages, rest];
}
