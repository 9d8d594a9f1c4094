import { sha256 } from "../kit/sha256.ts";
import type { StepRef } from "./events.ts";
import { freeName } from "./items.ts";

/** The longest part of an id that an item's name can be, and the longest id; both keep file names short. */
const longestPart = 40;
const longestId = 120;

/** The id of an item's session: of its parent, the step with its round, and the item; long ones end in a digest. */
export function itemSessionId(
  { id, isBot }: { readonly id: string; readonly isBot: boolean },
  { pass, step, attempt }: StepRef,
  item: string,
  known: ReadonlySet<string>,
): string {
  const place = isBot ? `${pass}.${encodePart(step)}.${attempt}` : `${encodePart(step)}.${attempt}`;
  const whole = `${id}/${place}/${encodePart(item)}`;
  const [root = id] = id.split("/");
  const short = whole.length > longestId ? `${root}/~${sha256(whole).slice(0, 24)}` : whole;
  return freeName(short, known);
}

/** Tells if an id matches the item that a recorded session is for. */
export function isItemIdOf(
  id: string,
  { parent, id: item }: { readonly parent: string; readonly id: string },
): boolean {
  const [root = parent] = parent.split("/");
  const last = id.split("/").at(-1) ?? "";
  const own = encodePart(item);
  const isOwn = last === own || (last.startsWith(`${own}~`) && /^\d+$/.test(last.slice(own.length + 1)));
  return (id.startsWith(`${parent}/`) && isOwn) || id.startsWith(`${root}/~`);
}

/** Tells if a session is for an item. */
export function isItemSession(id: string): boolean {
  return id.includes("/");
}

/** One part of an id: letters, digits, `.`, `_` and `-` as they are. */
function encodePart(text: string): string {
  const encoded = [...Buffer.from(text)]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[\w.-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
  return encoded.length <= longestPart
    ? encoded
    : `${encoded.slice(0, 24).replace(/%.?$/, "")}~${sha256(text).slice(0, 12)}`;
}
