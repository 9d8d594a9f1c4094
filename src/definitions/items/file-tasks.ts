import { frontMatterIn } from "../../kit/front-matter.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { yamlMapping } from "../files/yaml.ts";
import { digestTextOf, type FoundTask, type FoundTasks } from "./found-task.ts";

/** Reads a folder with one file for each task: named by its number, or with `depends_on` in its front matter. */
export function fileTasks(files: readonly { readonly name: string; readonly text: string }[]): FoundTasks {
  const read = files.map(({ name, text }) => {
    const { source = "", end = 0 } = frontMatterIn(text.replaceAll(/\r\n?/g, "\n")) ?? {};
    return { name: name.replace(/\.md$/i, ""), text, front: yamlMapping(source), source, body: text.slice(end) };
  });
  const isTask = ({ name, front }: (typeof read)[number]): boolean =>
    /^(?:task[-_ ]?)?\d+$/i.test(name) || front.depends_on !== undefined;
  const tasks = read.filter(isTask).sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  const unread = read
    .filter((one) => !isTask(one) && /^\d/.test(one.name) && !/analysis|update|progress|stream/i.test(one.name))
    .map(({ name }) => ({ line: 1, text: `${name}.md` }));
  return { tasks: tasks.map(asTask), parents: new Map(), unread };
}

function asTask({
  name: id,
  text,
  front,
  source,
  body,
}: {
  readonly name: string;
  readonly text: string;
  readonly front: JsonObject;
  readonly source: string;
  readonly body: string;
}): FoundTask {
  const { name, title, status, parallel, depends_on: waits } = front;
  const heading = /^#\s+(?:Task:?\s*)?(.+)$/m.exec(body)?.[1];
  const shown = [name, title, heading].find((one): one is string => typeof one === "string" && one.trim() !== "") ?? id;
  const isTicked = typeof status === "string" && /^(?:closed|completed?|done)$/i.test(status);
  const named = waits === undefined ? undefined : numbersIn(waits, source);
  return {
    id,
    isNumbered: true,
    title: shown.trim(),
    text,
    digestText: digestTextOf(`${shown}\n${body}`),
    isTicked,
    values: {},
    line: 1,
    block: 0,
    isParallel: parallel === true,
    ...(named === undefined ? {} : { named }),
  };
}

/** The numbers in `depends_on` as written: a number in YAML loses its zeros. */
function numbersIn(waits: Json, source: string): readonly string[] {
  const written = /^depends_on:[ \t]*\[([^\]]*)\]/m.exec(source)?.[1];
  if (written !== undefined)
    return written.split(",").flatMap((one) => one.trim().replaceAll(/["'#]/g, "").replace(/\.md$/i, "") || []);
  const all = Array.isArray(waits) ? waits : [waits];
  return all.flatMap((one: Json) =>
    one === null || isObject(one) || one === "" ? [] : [String(one).replace(/\.md$/i, "")],
  );
}
