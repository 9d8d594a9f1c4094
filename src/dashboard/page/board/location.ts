import { signal } from "@preact/signals";
import { type RunFilters, runFilterNames } from "../../api/board-data.ts";

/** A location on the board; each has an address that can be shared. */
export type BoardLocation =
  | ({ readonly view: "runs" } & RunFilters)
  | { readonly view: "run"; readonly key: string; readonly at?: StepLocation; readonly record?: number }
  | { readonly view: "inbox"; readonly item?: StepLocation & { readonly key: string } }
  | { readonly view: "audit"; readonly key?: string; readonly record?: number }
  | { readonly view: "process"; readonly at?: StepLocation }
  | { readonly view: "nowhere" };

/** A step of a run, and optionally one of its submissions. */
export type StepLocation = { readonly workflow: string; readonly step: string; readonly submission?: number };

/** The location of this tab. */
export const currentLocation = signal<BoardLocation>({ view: "runs" });

/** Follows the address of the tab. */
export function followAddress(): void {
  const look = (): void => {
    currentLocation.value = parseLocation(location.hash);
  };
  addEventListener("hashchange", look);
  look();
}

/** Goes to a location; `instead` replaces the history entry. */
export function go(to: BoardLocation, instead = false): void {
  if (instead) location.replace(href(to));
  else location.hash = href(to);
}

/** Returns the address of a location. */
export function href(to: BoardLocation): string {
  switch (to.view) {
    case "runs":
      return `#/runs${filterQuery(to)}`;
    case "run":
      return `#/${parts("runs", to.key, ...(to.at === undefined ? [] : stepParts(to.at)))}${recordPart(to.record)}`;
    case "inbox":
      return `#/${parts("inbox", ...(to.item === undefined ? [] : [to.item.key, ...stepParts(to.item)]))}`;
    case "audit":
      return `#/${parts("audit", ...(to.key === undefined ? [] : [to.key]))}${recordPart(to.record)}`;
    case "process":
      return `#/${parts("process", ...(to.at === undefined ? [] : stepParts(to.at)))}`;
    case "nowhere":
      return "#/";
  }
}

/** Parses an address into a location. */
export function parseLocation(hash: string): BoardLocation {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const raw = path === "" ? [] : path.split("/");
  const [view = "runs", ...rest] = raw;
  const names = rest.map(decoded);
  if (names.includes(undefined)) return { view: "nowhere" };
  const [first, second, third, fourth] = names;
  // A workflow named "record" is written `%72ecord`.
  const isRecord = rest[1] === "record" && /^\d+$/.test(rest[2] ?? "");
  const record = isRecord ? { record: Number(third) } : {};
  switch (view) {
    case "runs":
      if (first === undefined) return { view, ...parseFilters(query) };
      return { view: "run", key: first, ...record, ...(isRecord ? {} : parseStep(second, third, fourth)) };
    case "inbox": {
      const { at } = parseStep(second, third);
      return first === undefined || at === undefined ? { view } : { view, item: { key: first, ...at } };
    }
    case "audit":
      return first === undefined ? { view } : { view, key: first, ...record };
    case "process":
      return { view, ...parseStep(first, second) };
    default:
      return { view: "nowhere" };
  }
}

function parseStep(workflow?: string, step?: string, submission?: string): { readonly at?: StepLocation } {
  if (workflow === undefined || step === undefined) return {};
  return { at: { workflow, step, ...(/^\d+$/.test(submission ?? "") ? { submission: Number(submission) } : {}) } };
}

function parseFilters(query: string): RunFilters {
  const given = new URLSearchParams(query);
  return Object.fromEntries(runFilterNames.flatMap((name) => (given.get(name) ? [[name, given.get(name)]] : [])));
}

/** The filters as the query of an address; empty if there are none. */
export function filterQuery(filters: RunFilters): string {
  const given = runFilterNames.flatMap((name) => (filters[name] ? [[name, filters[name]]] : []));
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

function stepParts({ workflow, step, submission }: StepLocation): readonly string[] {
  return [workflow, step, ...(submission === undefined ? [] : [String(submission)])];
}

function recordPart(record: number | undefined): string {
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
