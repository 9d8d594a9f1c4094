import type { ReadResourceResult, Resource } from "@modelcontextprotocol/server";
import { pixel } from "./content.ts";

const fixed = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: pixel.data },
  "test://watched-resource": { mimeType: "text/plain", text: "Nothing changes here." },
};

/** Every resource that the suite wants of a server. */
export const resources: Resource[] = Object.entries(fixed).map(([uri, { mimeType }]) => ({
  uri,
  name: uri.slice("test://".length),
  description: `What the suite asks for at ${uri}`,
  mimeType,
}));

/** And the one whose address has a part of its own. */
export const template = {
  uriTemplate: "test://template/{id}/data",
  name: "template",
  description: "What the suite asks for by a number",
  mimeType: "application/json",
};

/** What stands at an address; undefined where nothing does. */
export function readResource(uri: string): ReadResourceResult | undefined {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: "application/json", text }] };
  }
  const found = Object.entries(fixed).find(([one]) => one === uri)?.[1];
  return found && { contents: [{ uri, ...found }] };
}
