/** A part of an address as it was meant; "" where it is written as nothing is. */
export function decodeName(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return "";
  }
}
