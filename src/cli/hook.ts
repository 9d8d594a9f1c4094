import { openHookPlace } from "../compose-hook.ts";
import { decideHook } from "../hooks/decide-hook.ts";
import { hookHosts } from "../hooks/occasion.ts";
import { parseInput, readOccasion } from "../hooks/read-occasion.ts";
import { say } from "../hooks/say.ts";

/** A hook that takes longer answers nothing: a host must never wait for us. */
const patience = 5000;

/** More than this is not read of what a hook is sent. */
const mostInput = 64 << 20;

/** Answers a host's hook: always valid JSON and exit code 0, whatever it was sent; what goes wrong keeps nobody from anything. */
export async function hook(hostNamed: string, event: string): Promise<void> {
  const answer = await Promise.race([
    answerTo(hostNamed, event, await readInput()).catch(() => "{}"),
    new Promise<string>((done) => setTimeout(() => done("{}"), patience).unref()),
  ]);
  await new Promise<void>((done) => process.stdout.write(`${answer}\n`, () => done()));
  process.exit(0); // what is still under way is nobody's concern any more
}

/** The answer to what a hook was sent. */
export async function answerTo(hostNamed: string, event: string, sent: string): Promise<string> {
  const host = hookHosts.find((one) => one === hostNamed.toLowerCase());
  if (host === undefined) return "{}";
  const input = parseInput(sent);
  const occasion = readOccasion(event, input);
  if (occasion.kind === "other" || (occasion.kind === "before" && occasion.use.kind === "other")) return "{}";
  const from = occasion.cwd ?? process.env.CLAUDE_PROJECT_DIR ?? process.cwd();
  const place = await openHookPlace(from, host, occasion.session);
  if (place === undefined) return "{}";
  const { answer, session } = await decideHook(host, occasion, place);
  if (session !== undefined) place.remember(session);
  return JSON.stringify(say(host, event, answer, input));
}

async function readInput(): Promise<string> {
  if (process.stdin.isTTY) return "";
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of process.stdin) {
      size += chunk.length;
      if (size > mostInput) return "";
      chunks.push(chunk);
    }
  } catch {
    return "";
  }
  return Buffer.concat(chunks).toString("utf8");
}
