import { strictEqual } from "node:assert";
import { createHash } from "node:crypto";
import type { PinStore } from "../engine/ports/pins.ts";
import type { ContractRule, Disposable } from "./contract-rule.ts";

/** A fresh store for copies: `pins` opens another window on it each time. */
export type OpenedPins = Disposable & { pins(): PinStore };

/** The rules that every store of pins must keep. */
export function pinsContract(): readonly ContractRule<OpenedPins>[] {
  return rules.map(([title, check]) => ({
    title,
    async run(open) {
      const opened = await open();
      try {
        await check(opened);
      } finally {
        await opened.dispose();
      }
    },
  }));
}

const rules: readonly (readonly [string, (opened: OpenedPins) => Promise<void>])[] = [
  [
    "a copy is named by the SHA-256 of its text and found by it in every window",
    async ({ pins }) => {
      const text = '{"phases": ["Größe"]}';
      const pin = createHash("sha256").update(text).digest("hex");
      strictEqual(await pins().keep(text), pin);
      strictEqual(await pins().keep(text), pin);
      strictEqual(await pins().find(pin), text);
    },
  ],
  [
    "copies are independent of each other, and an unknown name finds nothing",
    async ({ pins }) => {
      const opened = pins();
      const [one = "", other = ""] = [await opened.keep("one"), await opened.keep("other")];
      strictEqual(await opened.find(one), "one");
      strictEqual(await opened.find(other), "other");
      for (const name of ["", "0".repeat(64), "../one", `../${one}`]) strictEqual(await opened.find(name), undefined);
    },
  ],
];
