/** The signs of the steps on a map: their meaning, their class and icon on the page, and their symbol at a terminal. */
export const stepSigns = {
  d: { label: "done", name: "done", icon: "check", symbol: "✓" },
  r: { label: "done after a refusal", name: "retried", icon: "check", symbol: "✓" },
  k: { label: "skipped", name: "skipped", icon: "skip", symbol: "–" },
  o: { label: "open", name: "open", icon: "play", symbol: "▶" },
  w: { label: "waiting for a person", name: "waits", icon: "pause", symbol: "‖" },
  s: { label: "stuck", name: "stuck", icon: "cross", symbol: "✗" },
  n: { label: "next", name: "next", icon: undefined, symbol: "○" },
  ".": { label: "upcoming", name: "to-come", icon: undefined, symbol: "·" },
} as const;

export type StepSign = keyof typeof stepSigns;

/** Describes a sign of a map; unknown ones count as upcoming. */
export function signOf(sign: string): (typeof stepSigns)[StepSign] {
  return isSign(sign) ? stepSigns[sign] : stepSigns["."];
}

function isSign(sign: string): sign is StepSign {
  return Object.hasOwn(stepSigns, sign);
}

/** The signs to draw for a workflow: only the current one shows what is next. */
export function visibleSigns(signs: string, workflow: string, now: string | undefined): string {
  return now === undefined || workflow === now ? signs : signs.replaceAll("n", ".");
}
