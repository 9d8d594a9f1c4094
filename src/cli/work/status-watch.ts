import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import { paint } from "../terminal/print.ts";
import { terminalSize, visibleLength, wrap } from "../terminal/wrap.ts";
import { latestRows } from "./latest-rows.ts";
import { logLine } from "./log-line.ts";
import { onEveryChange } from "./on-every-change.ts";

/** The milliseconds after which ages are redrawn. */
const redrawMs = 30_000;

/** Keeps the screen up to date until the person quits: the status, and the latest log below it. */
export async function watch(
  workplace: OpenedWorkplace,
  status: (width: number) => Promise<{ readonly lines: readonly string[]; readonly waiting: number }>,
): Promise<never> {
  const { stdout } = process;
  const leave = (): void => void stdout.write("\x1b[?25h\x1b[?1049l");
  stdout.write("\x1b[?1049h\x1b[?25l");
  process.once("exit", leave);
  for (const [signal, code] of [
    ["SIGINT", 0],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)
    process.once(signal, () => process.exit(code));
  let waited: number | undefined;
  const draw = async (): Promise<void> => {
    const { width, height } = terminalSize();
    const { lines, waiting } = await status(width - 1);
    // The bell reaches people who look elsewhere.
    const bell = waited !== undefined && waiting > waited ? "\x07" : "";
    waited = waiting;
    const screen = await fillScreen(workplace, lines, width, height);
    stdout.write(`${bell}\x1b[H${screen.map((line) => `${line}\x1b[0m\x1b[K`).join("\r\n")}\x1b[J`);
  };
  let drawing: Promise<void> = Promise.resolve();
  const redraw = (): Promise<void> => {
    drawing = drawing.then(draw, draw);
    return drawing;
  };
  stdout.on("resize", () => void redraw());
  setInterval(() => void redraw(), redrawMs);
  return onEveryChange(workplace, redraw);
}

/** Fills the screen: the status first, then as much of the latest log as fits. */
async function fillScreen(
  workplace: OpenedWorkplace,
  lines: readonly string[],
  width: number,
  height: number,
): Promise<readonly string[]> {
  const foot = paint(
    "dim",
    `${new Date().toTimeString().slice(0, 5)}  live · Ctrl-C quits · waymark show: what is waiting`,
  );
  const room = height - 2;
  if (lines.length > room) {
    const rest = paint("dim", `… ${lines.length - room + 1} more lines: waymark status --all`);
    return [...lines.slice(0, room - 1), rest, "", foot];
  }
  const left = room - lines.length - 2;
  const rows = left < 2 ? [] : await latestRows(workplace, left);
  const recent = rows.map((row) => cutToLine(logLine(row), width - 1)).filter((line) => visibleLength(line) > 0);
  const lately = recent.length === 0 ? [] : ["", paint("bold", "Recent"), ...recent.slice(-left)];
  const body = [...lines, ...lately];
  return [...body, ...Array.from({ length: Math.max(0, room - body.length) }, () => ""), "", foot].slice(0, height);
}

function cutToLine(text: string, width: number): string {
  const [line = "", more] = wrap(text, width - 1);
  return more === undefined ? line : `${line}…`;
}
