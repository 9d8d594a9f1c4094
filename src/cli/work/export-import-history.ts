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
import { BrokenHistory, exportLines, ImportRefused, importLines } from "../../app/move-history.ts";
import { countText } from "../../kit/count-text.ts";
import { streamName } from "../../workflow/stream-id.ts";
import { oneLine, print, printJson } from "../terminal/print.ts";
import { showProgress } from "../terminal/progress.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, workplaceFor } from "../terminal/workplace-options.ts";

type MoveOptions = PlaceOptions & { readonly json?: true };

/** Writes all histories of a project into one file, for import into another store. */
export async function exportHistory(file: string, options: MoveOptions): Promise<void> {
  if (existsSync(file) && !isHistoryExport(file))
    throw new UserError(`${file} exists and is not a history export, so it is not overwritten.`);
  const workplace = workplaceFor(options);
  const onStream = showProgress((done, total) => `Writing histories: ${done} of ${total}`, options.json);
  const temporary = `${file}.part`;
  const fd = openSync(temporary, "w", 0o600); // it holds what people submitted
  let [streams, records] = [0, 0];
  try {
    for await (const line of exportLines(workplace, onStream)) {
      writeSync(fd, `${JSON.stringify(line)}\n`);
      if ("end" in line) ({ desks: streams, records } = line.end);
    }
    closeSync(fd);
    if (streams === 0) throw new UserError("Nothing is recorded yet, so there is nothing to export.");
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error instanceof BrokenHistory
      ? new UserError(`${error.message} Nothing was written. Run waymark verify for details.`)
      : error;
  } finally {
    workplace.close();
  }
  if (options.json) return printJson({ file, desks: streams, records });
  print(
    `Wrote ${countText(records, "record")} of ${countText(streams, "history", "histories")} to ${file}. It contains the submitted content: protect it like the content itself.`,
  );
}

/** Imports histories from such a file. */
export async function importHistory(file: string, options: MoveOptions): Promise<void> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new UserError(`${file} is not a file.`);
  const workplace = workplaceFor(options);
  const onStream = showProgress((done, total) => `Importing histories: ${done} of ${total}`, options.json);
  try {
    const taken = await importLines(workplace, () => readLines(file), onStream);
    if (options.json) return printJson(taken.map(({ desk: stream, ...rest }) => ({ ...stream, ...rest })));
    for (const { desk: stream, records, added, head, left } of taken) {
      print(
        `${oneLine(streamName(stream))}: ${countText(records, "record")}, ${added} of them new, head ${head.slice(0, 16)}`,
      );
      for (const path of left) print(`    ${oneLine(path)} differs here and was left unchanged`);
    }
    print("Run waymark verify to confirm that each head is the same as before.");
  } catch (error) {
    throw error instanceof ImportRefused ? new UserError(error.message) : error;
  } finally {
    workplace.close();
  }
}

/** Reads the lines of a file, refusing one that memory cannot hold. */
async function* readLines(file: string): AsyncGenerator<string> {
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
      if (length > maxLineBytes)
        throw new ImportRefused(`Line ${number} is longer than any line of a history export. Nothing was imported.`);
    }
  }
  if (length > 0) yield pieces.join("");
}

/** More than one attempt can submit, and less than the longest string. */
const maxLineBytes = 256 << 20;

/** Tells whether a file starts like a history export. */
function isHistoryExport(file: string): boolean {
  const fd = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(20);
    readSync(fd, bytes, 0, bytes.length, 0);
    return bytes.toString("utf8").startsWith('{"waymark_history":');
  } finally {
    closeSync(fd);
  }
}
