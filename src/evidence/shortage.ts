/** Tells whether something failed because the machine has no room for it just now: that says nothing of what was looked for. */
export function isShortage(error: unknown): boolean {
  return error instanceof Error && "code" in error && shortages.has(String(error.code));
}

const shortages = new Set(["EMFILE", "ENFILE", "ENOMEM"]);
