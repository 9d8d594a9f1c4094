/** A text in one line: what stands in a file or came in a call makes no lines of its own, and nothing that is not seen. */
export function oneLine(text: string, room: number): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = [...line.slice(0, room * 2 + 2)];
  return characters.length <= room ? line : `${characters.slice(0, room - 1).join("")}…`;
}
