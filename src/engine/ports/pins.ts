/** Pinned definitions: the name of a copy is the SHA-256 of its text. */
export type PinStore = {
  /** Keeps a text for good; undefined if that failed. */
  keep(text: string): Promise<string | undefined>;
  /** The text as it was kept; undefined if it is gone or has changed. */
  find(pin: string): Promise<string | undefined>;
  /** The state of a copy, for audits; absent if the store knows only found or not found. */
  inspect?(pin: string): Promise<PinState>;
};

/** The state of a pinned definition, and its location. */
export type PinState = { readonly verdict: "whole" | "changed" | "gone"; readonly place: string };
