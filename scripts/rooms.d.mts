/** The rooms of src/: what each is for, and what it may import. */
export const rooms: Readonly<Record<string, { readonly job: string; readonly imports: readonly string[] }>>;
/** The room of a file under src/; undefined for a loose file. */
export function roomOf(file: string): string | undefined;
/** The map of ARCHITECTURE.md. */
export function mapOfRooms(): string;
