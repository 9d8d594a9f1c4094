import { openHookContext } from "../../app/answer-hook.ts";
import { decideHook } from "../../hosts/hooks/decide-hook.ts";
import { formatAnswer } from "../../hosts/hooks/format-answer.ts";
import { hookHosts } from "../../hosts/hooks/hook-event.ts";
import { parseHookEvent, parseHookInput } from "../../hosts/hooks/parse-hook-event.ts";

/** The milliseconds after which a hook answers nothing, because a host must never wait. */
const timeoutMs = 5000;

/** The most bytes read from a hook's input. */
const maxInputBytes = 64 << 20;

/** Answers a host's hook, always with valid JSON and exit code 0. */
export async function hook(hostNamed: string, event: string): Promise<void> {
  const answer = await Promise.race([
    readInput()
      .then((sent) => answerHook(hostNamed, event, sent))
      .catch(() => "{}"),
    new Promise<string>((done) => setTimeout(() => done("{}"), timeoutMs).unref()),
  ]);
  await new Promise<void>((done) => process.stdout.write(`${answer}\n`, () => done()));
  process.exit(0); // do not wait for unfinished work
}

/** Answers one hook call. */
export async function answerHook(hostNamed: string, event: string, sent: string): Promise<string> {
  const host = hookHosts.find((one) => one === hostNamed.toLowerCase());
  if (host === undefined) return "{}";
  const input = parseHookInput(sent);
  const occasion = parseHookEvent(event, input);
  if (occasion.kind === "other" || (occasion.kind === "before" && occasion.use.kind === "other")) return "{}";
  const from = occasion.cwd ?? process.env.CLAUDE_PROJECT_DIR ?? process.cwd();
  const place = await openHookContext(from, host, occasion.session);
  if (place === undefined) return "{}";
  const { answer, session } = await decideHook(host, occasion, place);
  if (session !== undefined) place.remember(session);
  return JSON.stringify(formatAnswer(host, event, answer, input));
}

/** Reads the hook's input until it ends or is a whole JSON text: some hosts keep the pipe open. */
async function readInput(): Promise<string> {
  if (process.stdin.isTTY) return "";
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += chunk.length;
    if (size > maxInputBytes) return "";
    chunks.push(chunk);
    if (chunk.toString("latin1").trimEnd().endsWith("}") && isJson(Buffer.concat(chunks))) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}
