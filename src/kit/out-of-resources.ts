/** Tells if an error means the machine is out of resources, which says nothing about the file. */
export function isResourceShortage(error: unknown): boolean {
  return error instanceof Error && "code" in error && shortages.has(String(error.code));
}

const shortages = new Set(["EMFILE", "ENFILE", "ENOMEM"]);
