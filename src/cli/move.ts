import {
  closeSync,
  createReadStream,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { deskName } from "../audit/desk-name.ts";
import { linesOf, NotTaken, NotWhole, takeLines } from "../compose-transfer.ts";
import { UserFault } from "./fault.ts";
import { plain, print, printJson } from "./print.ts";
import { progressOf } from "./progress.ts";
import { type PlaceOptions, workplaceFor } from "./workplace.ts";

type MoveOptions = PlaceOptions & { readonly json?: true };

/** Writes every history of a project into one file, whole, to be brought into another store. */
export async function exportHistory(file: string, options: MoveOptions): Promise<void> {
  if (existsSync(file) && !isHistory(file))
    throw new UserFault(`${file} is there and is no export of histories; it is not overwritten.`);
  const workplace = workplaceFor(options);
  const onDesk = progressOf((done, total) => `Writing histories: ${done} of ${total}`, options.json);
  const temporary = `${file}.part`;
  const fd = openSync(temporary, "w", 0o600); // what is in it is what people handed in
  let [desks, records] = [0, 0];
  try {
    for await (const line of linesOf(workplace, onDesk)) {
      writeSync(fd, `${JSON.stringify(line)}\n`);
      if ("end" in line) ({ desks, records } = line.end);
    }
    closeSync(fd);
    if (desks === 0) throw new UserFault("Nothing is on record yet: there is no history to write.");
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error instanceof NotWhole
      ? new UserFault(`${error.message} waymark verify says more. Nothing was written.`)
      : error;
  } finally {
    workplace.close();
  }
  if (options.json) return printJson({ file, desks, records });
  print(
    `Wrote ${records} record(s) of ${desks} history(ies) to ${file}. It holds what was handed in: keep it as you keep that.`,
  );
}

/** Brings the histories of such a file in. */
export async function importHistory(file: string, options: MoveOptions): Promise<void> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new UserFault(`${file} is no file.`);
  const workplace = workplaceFor(options);
  const onDesk = progressOf((done, total) => `Bringing histories in: ${done} of ${total}`, options.json);
  try {
    const taken = await takeLines(workplace, () => linesIn(file), onDesk);
    if (options.json) return printJson(taken.map(({ desk, ...rest }) => ({ ...desk, ...rest })));
    for (const { desk, records, added, head, left } of taken) {
      print(`${plain(deskName(desk))}: ${records} record(s), ${added} of them new, head ${head.slice(0, 16)}`);
      for (const path of left) print(`    ${plain(path)} stands here otherwise, and stays as it is`);
    }
    print("Run waymark verify: each head is the one that it was.");
  } catch (error) {
    throw error instanceof NotTaken ? new UserFault(error.message) : error;
  } finally {
    workplace.close();
  }
}

/** The lines of a file, none of them longer than memory holds. */
async function* linesIn(file: string): AsyncGenerator<string> {
  let [pieces, length, number]: [string[], number, number] = [[], 0, 1];
  for await (const chunk of createReadStream(file, "utf8")) {
    const [first = "", ...others] = String(chunk).split("\n");
    for (const [index, piece] of [first, ...others].entries()) {
      if (index > 0) {
        yield pieces.join("");
        [pieces, length, number] = [[], 0, number + 1];
      }
      pieces.push(piece);
      length += piece.length;
      if (length > mostOfLine)
        throw new NotTaken(
          `Line ${number} is longer than what waymark export --history writes. Nothing was brought in.`,
        );
    }
  }
  if (length > 0) yield pieces.join("");
}

/** More than an attempt may hand in, and less than what a text can be. */
const mostOfLine = 256 << 20;

/** Whether a file begins as an export of histories does. */
function isHistory(file: string): boolean {
  const fd = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(20);
    readSync(fd, bytes, 0, bytes.length, 0);
    return bytes.toString("utf8").startsWith('{"waymark_history":');
  } finally {
    closeSync(fd);
  }
}
