import { join } from "node:path";
import type { CommandCheck, Pin } from "../../gates/check.ts";
import { canonicalText, checkMeaning } from "../../gates/check-verdict.ts";
import type { Json } from "../../kit/json.ts";
import { valueAt } from "../../kit/json-pointer.ts";
import { sha256 } from "../../kit/sha256.ts";
import { type FileState, readState } from "./file-state.ts";
import { packageConfigOf } from "./package-config.ts";

/** The target of a pin: a value, which may be null; nothing; or something unreadable, with its hash or the reason. */
export type PinState = { readonly value: Json } | { readonly absent: true } | { readonly unreadable: string };

/** A command as a person trusts it: its hash, and the stamps of the files behind it, which show changes that were undone. */
export type PinnedCommand = { readonly definition: string; readonly stamps: string };

/** Hashes what a command would run: the check as written, its pins and the configuration of its package manager. */
export async function pinnedCommand(area: string, check: CommandCheck): Promise<PinnedCommand> {
  const files = await Promise.all(check.pins.map(({ file }) => readState(join(area, file))));
  const pins = check.pins.map((pin, at) => pinOf(pin, files[at] ?? { absent: true }));
  const config = await packageConfigOf(area, check);
  const isPlain = pins.every((pin) => "value" in pin);
  const definition = canonicalText([
    checkMeaning(check),
    pins.map((pin) => ("value" in pin ? pin.value : null)),
    ...(isPlain ? [] : [{ pins: pins.map((pin) => ("value" in pin ? "value" : { ...pin })) }]),
    ...(config.size === 0 ? [] : [{ config: Object.fromEntries([...config].map(([file, { hash }]) => [file, hash])) }]),
  ]);
  const stamps = [...files, ...config.values()].map((file) => ("stamp" in file ? file.stamp : ""));
  return { definition, stamps: stamps.join() };
}

/** The hash by which a command is trusted. */
export async function commandHash(area: string, check: CommandCheck): Promise<string> {
  return (await pinnedCommand(area, check)).definition;
}

/** Reads the target of a pin. */
export async function pinState(area: string, pin: Pin): Promise<PinState> {
  return pinOf(pin, await readState(join(area, pin.file)));
}

function pinOf({ pointer }: Pin, file: FileState): PinState {
  if ("absent" in file) return file;
  if ("unreadable" in file) return { unreadable: file.unreadable };
  const text = file.bytes.toString("utf8");
  const unreadable = { unreadable: `sha256 ${sha256(file.bytes)}` };
  if (!Buffer.from(text, "utf8").equals(file.bytes)) return unreadable;
  if (pointer === undefined) return { value: text };
  try {
    // Package managers read past a byte order mark.
    const value = valueAt(JSON.parse(text.replace(/^\uFEFF/, "")), pointer);
    return value === undefined ? { absent: true } : { value: JSON.parse(JSON.stringify(value)) };
  } catch {
    return unreadable;
  }
}
