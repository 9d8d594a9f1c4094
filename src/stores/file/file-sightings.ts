import { dirname } from "node:path";
import type { Sighting, Sightings } from "../../engine/ports/runners.ts";
import { unlessIoError } from "../../kit/io-errors.ts";
import { isObject, parsedObject } from "../../kit/json.ts";
import { replaceFile } from "./atomic-file.ts";
import { readPlain } from "./plain-file.ts";
import { makeFolder } from "./safe-folder.ts";

/** The latest sightings of a server, in one small file that other commands can read. Losing some loses nothing else. */
export function fileSightings(file: string): Sightings {
  const read = (): Record<string, Record<string, Sighting>> => {
    const text = unlessIoError(() => readPlain(file).toString("utf8"));
    return (text === undefined ? {} : (parsedObject(text) ?? {})) as Record<string, never>;
  };
  return {
    async note(kind, sighting) {
      const all = read();
      const others = Object.entries(isObject(all[kind]) ? all[kind] : {}).slice(-most);
      const next = { ...all, [kind]: { ...Object.fromEntries(others), [sighting.name]: sighting } };
      unlessIoError(() => {
        makeFolder(dirname(file));
        replaceFile(file, [Buffer.from(`${JSON.stringify(next)}\n`)], dirname(file), { durable: false });
      });
    },
    list: async (kind) => Object.values(read()[kind] ?? {}),
  };
}

const most = 1000;
