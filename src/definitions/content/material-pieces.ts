/** One piece of a step's material that can be shown by itself. */
export type MaterialPiece = {
  readonly name: string;
  readonly text: string;
  /** The summary shown in place of the piece. */
  readonly brief?: string;
};

/** A material as a section of the text: a lead, and pieces that may be shown later. */
export type Section = {
  readonly title: string;
  /** The author's introduction; `mark` in it is replaced by the pieces. */
  readonly lead: string;
  readonly pieces: readonly MaterialPiece[];
};

/** Marks the position of the pieces in a section's lead; without it they follow the lead. */
export const piecesMark = "\u0000";

/** A part that a caller can ask for, with its length. */
export type ShownPart = { readonly name: string; readonly size: number };

/** Shows the sections that fit, in order, and lists the parts of the rest. */
export function layOutSections(
  sections: readonly Section[],
  most: number,
): { readonly text: string; readonly parts: readonly ShownPart[] } {
  let room = most;
  const parts: ShownPart[] = [];
  const shown = sections.map((section) => {
    const whole = sectionText(section, joinPieces(section.pieces));
    const isShown = whole.length <= room || section.pieces.every(({ text, name }) => text.length < name.length + 40);
    const text = isShown ? whole : sectionText(section, listed(section.pieces));
    room = Math.max(0, room - text.length);
    if (!isShown) parts.push(...section.pieces.map(({ name, text: { length } }) => ({ name, size: length })));
    return text;
  });
  return { text: shown.filter((text) => text !== "").join("\n\n"), parts };
}

/** The longest page of a part. */
export const longestPage = 16_000;

/** One part by name, in pages if it is long: `name`, then `name (2)`. */
export function pageOf(pieces: readonly MaterialPiece[], asked: string): string | undefined {
  for (const { name, text } of pieces) {
    const pages = pagesOf(text);
    const index = pages.findIndex((_, page) => asked === (page === 0 ? name : `${name} (${page + 1})`));
    if (index === -1) continue;
    const more = index + 1 < pages.length ? `\n\n(continues: part "${name} (${index + 2})")` : "";
    return `${pages[index]}${more}`;
  }
  return undefined;
}

/** Gives each piece a unique name; repeated names get a number. */
export function uniquePieces(pieces: readonly MaterialPiece[]): readonly MaterialPiece[] {
  const seen = new Map<string, number>();
  return pieces.map((piece) => {
    const count = (seen.get(piece.name) ?? 0) + 1;
    seen.set(piece.name, count);
    return count === 1 ? piece : { ...piece, name: `${piece.name}_${count}` };
  });
}

/** The texts of some pieces, one below the other. */
export function joinPieces(pieces: readonly MaterialPiece[]): string {
  return pieces.map(({ text }) => text).join("\n\n");
}

function listed(pieces: readonly MaterialPiece[]): string {
  const lines = pieces.map(
    ({ name, text, brief = "" }) => `- ${name} (${sizeOf(text.length)})${brief === "" ? "" : `: ${brief}`}`,
  );
  return ['To see one in full, call this tool with its name as "part":', ...lines].join("\n");
}

function sectionText({ title, lead, pieces }: Section, inner: string): string {
  if (pieces.length === 0 && lead.replaceAll(piecesMark, "").trim() === "") return "";
  const body = lead.includes(piecesMark)
    ? lead.replaceAll(piecesMark, inner)
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
