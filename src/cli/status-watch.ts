import type { OpenedWorkplace } from "../compose.ts";
import { follow } from "./follow.ts";
import { logLine } from "./log-line.ts";
import { latestRows } from "./log-rows.ts";
import { paint } from "./print.ts";
import { roomHere, visibleLength, wrap } from "./wrap.ts";

/** Ages are told anew after so long, in milliseconds. */
const redrawEvery = 30_000;

/** Keeps the whole screen up to date until the person ends it: where everything stands, and below it what happened last. */
export async function watch(
  workplace: OpenedWorkplace,
  standing: (width: number) => Promise<{ readonly lines: readonly string[]; readonly waiting: number }>,
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
    const { width, height } = roomHere();
    const { lines, waiting } = await standing(width - 1);
    // Whoever looks elsewhere hears that somebody is wanted.
    const bell = waited !== undefined && waiting > waited ? "\x07" : "";
    waited = waiting;
    const screen = await fill(workplace, lines, width, height);
    stdout.write(`${bell}\x1b[H${screen.map((line) => `${line}\x1b[0m\x1b[K`).join("\r\n")}\x1b[J`);
  };
  let drawing: Promise<void> = Promise.resolve();
  const redraw = (): Promise<void> => {
    drawing = drawing.then(draw, draw);
    return drawing;
  };
  stdout.on("resize", () => void redraw());
  setInterval(() => void redraw(), redrawEvery);
  return follow(workplace, redraw);
}

/** What fits: where everything stands, and what happened last in the room that is left. */
async function fill(
  workplace: OpenedWorkplace,
  lines: readonly string[],
  width: number,
  height: number,
): Promise<readonly string[]> {
  const foot = paint("dim", `${new Date().toTimeString().slice(0, 5)}  live · Ctrl-C ends · waymark show: what waits`);
  const room = height - 2;
  if (lines.length > room) {
    const rest = paint("dim", `… ${lines.length - room + 1} more lines: waymark status --all`);
    return [...lines.slice(0, room - 1), rest, "", foot];
  }
  const left = room - lines.length - 2;
  const rows = left < 2 ? [] : await latestRows(workplace, left);
  const recent = rows.map((row) => inOneLine(logLine(row), width - 1)).filter((line) => visibleLength(line) > 0);
  const lately = recent.length === 0 ? [] : ["", paint("bold", "Lately"), ...recent.slice(-left)];
  const body = [...lines, ...lately];
  return [...body, ...Array.from({ length: Math.max(0, room - body.length) }, () => ""), "", foot].slice(0, height);
}

function inOneLine(text: string, width: number): string {
  const [line = "", more] = wrap(text, width - 1);
  return more === undefined ? line : `${line}…`;
}
