/** Decodes one part of an address; "" if it is malformed. */
export function decodeName(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return "";
  }
}
