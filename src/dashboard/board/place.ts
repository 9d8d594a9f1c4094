import { signal } from "@preact/signals";

/** A place on the board. Each has an address, so that anything that is shown can be sent to somebody. */
export type Place =
  | { readonly view: "runs"; readonly stands?: string }
  | { readonly view: "run"; readonly key: string; readonly at?: StepPlace; readonly record?: number }
  | { readonly view: "inbox"; readonly item?: StepPlace & { readonly key: string } }
  | { readonly view: "audit"; readonly key?: string; readonly record?: number }
  | { readonly view: "process"; readonly at?: StepPlace }
  | { readonly view: "nowhere" };

/** A step of a run, and one of its hand-ins where that is meant. */
export type StepPlace = { readonly workflow: string; readonly step: string; readonly handIn?: number };

/** Where this tab is. */
export const place = signal<Place>({ view: "runs" });

/** Keeps to what the address says. */
export function followAddress(): void {
  const look = (): void => {
    place.value = placeOf(location.hash);
  };
  addEventListener("hashchange", look);
  look();
}

/** Goes somewhere; `instead` leaves no step back to here. */
export function go(to: Place, instead = false): void {
  if (instead) location.replace(href(to));
  else location.hash = href(to);
}

/** The address of a place. */
export function href(to: Place): string {
  switch (to.view) {
    case "runs":
      return to.stands === undefined ? "#/runs" : `#/runs?stands=${encodeURIComponent(to.stands)}`;
    case "run":
      return `#/${parts("runs", to.key, ...(to.at === undefined ? [] : ofStep(to.at)))}${ofRecord(to.record)}`;
    case "inbox":
      return `#/${parts("inbox", ...(to.item === undefined ? [] : [to.item.key, ...ofStep(to.item)]))}`;
    case "audit":
      return `#/${parts("audit", ...(to.key === undefined ? [] : [to.key]))}${ofRecord(to.record)}`;
    case "process":
      return `#/${parts("process", ...(to.at === undefined ? [] : ofStep(to.at)))}`;
    case "nowhere":
      return "#/";
  }
}

/** The place that an address names. */
export function placeOf(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const raw = path === "" ? [] : path.split("/");
  const [view = "runs", ...rest] = raw;
  const names = rest.map(decoded);
  if (names.includes(undefined)) return { view: "nowhere" };
  const [first, second, third, fourth] = names;
  // Written so, it is no workflow: one of that name is written `%72ecord`.
  const isRecord = rest[1] === "record" && /^\d+$/.test(rest[2] ?? "");
  const record = isRecord ? { record: Number(third) } : {};
  switch (view) {
    case "runs":
      if (first === undefined) return { view, ...standsOf(query) };
      return { view: "run", key: first, ...record, ...(isRecord ? {} : atOf(second, third, fourth)) };
    case "inbox": {
      const { at } = atOf(second, third);
      return first === undefined || at === undefined ? { view } : { view, item: { key: first, ...at } };
    }
    case "audit":
      return first === undefined ? { view } : { view, key: first, ...record };
    case "process":
      return { view, ...atOf(first, second) };
    default:
      return { view: "nowhere" };
  }
}

function atOf(workflow?: string, step?: string, handIn?: string): { readonly at?: StepPlace } {
  if (workflow === undefined || step === undefined) return {};
  return { at: { workflow, step, ...(/^\d+$/.test(handIn ?? "") ? { handIn: Number(handIn) } : {}) } };
}

function standsOf(query: string): { readonly stands?: string } {
  const stands = new URLSearchParams(query).get("stands");
  return stands === null ? {} : { stands };
}

function ofStep({ workflow, step, handIn }: StepPlace): readonly string[] {
  return [workflow, step, ...(handIn === undefined ? [] : [String(handIn)])];
}

function ofRecord(record: number | undefined): string {
  return record === undefined ? "" : `/record/${record}`;
}

function parts(...names: readonly string[]): string {
  return names
    .map((name) => (name === "record" ? "%72ecord" : encodeURIComponent(name.replace(/\p{Cs}/gu, "\ufffd"))))
    .join("/");
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
