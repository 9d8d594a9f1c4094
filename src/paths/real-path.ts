import { realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** Where a path leads once its links are followed; undefined where it leads nowhere, or nobody may look. */
export function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** The same; where it leads nowhere, the path as it is named. */
export async function realPathOrNamed(path: string): Promise<string> {
  return (await realPath(path)) ?? path;
}

/** The same; where its last parts are not there yet, as far as it leads, and they behind it. */
export async function realPathToCome(path: string): Promise<string> {
  const whole = resolve(path);
  const [real, above] = [await realPath(whole), dirname(whole)];
  return real ?? (above === whole ? whole : join(await realPathToCome(above), basename(whole)));
}

/** `realPath` for those whom a look at the disk may hold up. */
export function realPathSync(path: string): string | undefined {
  try {
    return realpathSync.native(path); // as the asynchronous one does: names are those on the disk
  } catch {
    return undefined;
  }
}

/** `realPathOrNamed` for the same. */
export function realPathOrNamedSync(path: string): string {
  return realPathSync(path) ?? path;
}

/** `realPathToCome` for the same; `real` tells where what is there leads. */
export function realPathToComeSync(path: string, real: typeof realPathSync = realPathSync): string {
  const whole = resolve(path);
  const above = dirname(whole);
  return real(whole) ?? (above === whole ? whole : join(realPathToComeSync(above, real), basename(whole)));
}
