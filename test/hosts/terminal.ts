import { setTimeout as pause } from "node:timers/promises";
import { spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";

/** The keys a person presses, as a terminal sends them. */
const keys = { enter: "\r", escape: "\x1b", up: "\x1b[A", down: "\x1b[B", right: "\x1b[C" } as const;

export type Key = keyof typeof keys;
export type FileStat = string | RegExp;

/** A program at a pseudo-terminal, as a person in front of it has it: a screen to read and keys to press. */
export type Terminal = {
  /** What stands on the screen now, without colours. */
  screen(): string;
  /** Waits until the screen shows this. */
  sees(stat: FileStat): Promise<void>;
  press(key: Key): Promise<void>;
  /** Presses a key, and again where nothing comes of it, until the screen shows this. */
  pressUntil(key: Key, stat: FileStat): Promise<void>;
  /** Types as a person does: one key after the other. */
  type(text: string): Promise<void>;
  /** Waits until the program has ended. What it said last may not reach the screen on a busy machine: look at what it did. */
  ends(): Promise<void>;
  /** Ends the program and everything in its session. */
  close(): Promise<void>;
};

export type TerminalProgram = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
};

const size = { cols: 110, rows: 45 };
/** A program that shows nothing of what is waited for in this time will never do so. */
const hangs = 120_000;
/** Hosts take keys that come faster than this for a paste, and Enter in a paste for a line of it. */
const betweenKeys = 30;
/** Somebody who sees nothing happen presses the key again. */
const beforeAgain = 3_000;

/** In milliseconds: after the end of a program nothing more arrives once it was quiet for so long. */
const quietMs = 2_000;

/** Starts a program at a pseudo-terminal of its own. */
export function openTerminal({ command, args, cwd, env }: TerminalProgram): Terminal {
  const display = new headless.Terminal({ ...size, allowProposedApi: true });
  const name = "xterm-256color";
  const program = spawn(command, [...args], { ...size, name, cwd, env: { ...env, TERM: name } });
  const watchers = new Set<() => void>();
  const changed = (): void => {
    for (const look of [...watchers]) look();
  };
  let ended = false;
  let heardAt = Date.now();
  program.onData((data) => {
    heardAt = Date.now();
    display.write(data, changed);
  });
  display.onData((reply) => program.write(reply)); // a terminal answers when it is asked where its cursor stands
  const gone = new Promise<void>((resolve) => {
    program.onExit(() => {
      display.write("", changed);
      resolve();
      // What the program said last may arrive after its end.
      const drain = (): void => {
        if (Date.now() - heardAt < quietMs) return void setTimeout(drain, quietMs / 4);
        ended = true;
        display.write("", changed);
      };
      heardAt = Date.now();
      setTimeout(drain, quietMs / 4);
    });
  });

  const screen = (): string => {
    const { active } = display.buffer;
    const lines = Array.from({ length: size.rows }, (_, row) => active.getLine(active.baseY + row));
    const text = lines.map((line) => line?.translateToString(true) ?? "").join("\n");
    return text.trimEnd();
  };
  const shows = (stat: FileStat): boolean => (typeof stat === "string" ? screen().includes(stat) : stat.test(screen()));

  /** Whether the screen showed this within a time. */
  const watchFor = (stat: FileStat, patience: number): Promise<boolean> =>
    new Promise((resolve) => {
      const stop = (seen: boolean): void => {
        clearTimeout(timer);
        watchers.delete(look);
        resolve(seen);
      };
      const look = (): void => {
        if (shows(stat)) stop(true);
        else if (ended) stop(false);
      };
      const timer = setTimeout(() => stop(false), patience);
      watchers.add(look);
      look();
    });
  const unseen = (stat: FileStat): Error =>
    new Error(`${ended ? "The program ended" : "Time passed"} and the screen never showed ${stat}:\n${screen()}`);
  const send = async (text: string): Promise<void> => {
    program.write(text);
    await pause(betweenKeys);
  };

  return {
    screen,
    sees: async (stat) => {
      if (!(await watchFor(stat, hangs))) throw unseen(stat);
    },
    press: (key) => send(keys[key]),
    pressUntil: async (key, stat) => {
      for (let waited = 0; waited < hangs && !ended; waited += beforeAgain) {
        await send(keys[key]);
        if (await watchFor(stat, beforeAgain)) return;
      }
      throw unseen(stat);
    },
    type: async (text) => {
      for (const char of text) await send(char);
    },
    ends: () => gone,
    close: async () => {
      if (!ended) endGroup(program.pid); // the leader of its own session: what it started, nothing else
      await gone;
      display.dispose();
    },
  };
}

/** Ends a program and what it started; one that is gone already is ended, though nobody has heard of it yet. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
