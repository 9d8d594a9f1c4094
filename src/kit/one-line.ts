/** Fits a text into one line of at most `room` characters, without line breaks or invisible characters. */
export function oneLine(text: string, room: number): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = [...line.slice(0, room * 2 + 2)];
  return characters.length <= room ? line : `${characters.slice(0, room - 1).join("")}…`;
}
