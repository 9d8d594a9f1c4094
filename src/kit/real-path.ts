import { realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** Resolves a path's links; undefined if it does not exist or is not readable. */
export function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** Resolves a path's links, or returns the path as it is. */
export async function realPathOrSame(path: string): Promise<string> {
  return (await realPath(path)) ?? path;
}

/** Resolves the existing part of a path and appends the rest. */
export async function realPathOfNew(path: string): Promise<string> {
  const whole = resolve(path);
  const [real, above] = [await realPath(whole), dirname(whole)];
  return real ?? (above === whole ? whole : join(await realPathOfNew(above), basename(whole)));
}

/** The synchronous `realPath`. */
export function realPathSync(path: string): string | undefined {
  try {
    return realpathSync.native(path); // matches the asynchronous one: names as on disk
  } catch {
    return undefined;
  }
}

/** The synchronous `realPathOrSame`. */
export function realPathOrSameSync(path: string): string {
  return realPathSync(path) ?? path;
}

/** The synchronous `realPathOfNew`. */
export function realPathOfNewSync(path: string): string {
  const whole = resolve(path);
  const above = dirname(whole);
  return realPathSync(whole) ?? (above === whole ? whole : join(realPathOfNewSync(above), basename(whole)));
}
