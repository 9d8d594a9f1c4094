import { join } from "node:path";
import type { AuthProvider } from "@modelcontextprotocol/client";
import { defined } from "../kit/defined.ts";
import { type BridgeDeps, serveBridge } from "../mcp/bridge.ts";
import type { ReportedTree } from "../mcp/caller-tree.ts";
import { makeRunnerKey } from "../people/runner-key.ts";
import { headCommit } from "../repository/repository.ts";
import { readFile } from "../stores/file/content-file.ts";
import { resolveContent } from "../stores/file/content-target.ts";
import { guardedFolders } from "./guarded-folders.ts";
import { runRunner, type SentResult } from "./open-runner.ts";
import { lazyChecks } from "./wire-checks.ts";

export type BridgePlaces = {
  readonly url: URL;
  /** The work tree. */
  readonly area: string;
  token(): Promise<string | undefined>;
  readonly authProvider?: AuthProvider;
  readonly report: (message: string) => void;
  readonly near?: BridgeDeps["near"];
};

/** Serves an assistant over stdio through a team server, and runs its checks in this work tree. */
export async function openBridge(places: BridgePlaces): Promise<{ close(): Promise<void> }> {
  const { url, area, token, report, authProvider, near } = places;
  const { own } = makeRunnerKey(); // another bridge of the same person must not take this one's checks
  const sent: SentResult[] = [];
  const runner = onDemand((stop) =>
    runRunner(
      {
        url,
        area,
        token,
        key: own,
        say: report,
        onResult: (one) => sent.splice(0, sent.length - kept) && sent.push(one),
      },
      stop,
    ),
  );
  const checks = lazyChecks({ area, history: area }, join(area, ".waymark"));
  const tree = async (): Promise<ReportedTree> => {
    const passed = sent.filter(({ result }) => result.status === "passed");
    const proofs = passed.map(({ check, result }) => ({ workflow: "", step: "", check, result }));
    const stale = proofs.length === 0 ? [] : (await checks.stale(proofs)).map(({ proof }) => proof);
    const valid = passed.flatMap(({ nonce }, at) =>
      stale.includes(proofs[at] as (typeof proofs)[number]) ? [] : [nonce],
    );
    return { key: own.key, valid, ...defined({ commit: await headCommit(area) }) };
  };
  const bridge = await serveBridge({
    url,
    readFile: (path) => readSubmitted(area, path),
    tree,
    runner,
    report,
    ...defined({ authProvider, near }),
  });
  return {
    async close() {
      runner.close();
      checks.close();
      await bridge.close();
    },
  };
}

/** At most this many results are remembered. */
const kept = 100;

/** Reads a text file of the work tree by the rules of content. */
function readSubmitted(area: string, path: string): { readonly text: string } | { readonly problem: string } {
  const ground = { area, guarded: guardedFolders(join(area, ".waymark")) };
  const place = resolveContent(ground, path);
  if ("problem" in place) return place;
  if (place.size === null) return { problem: "it does not exist; submit its text, or write the file first" };
  if (place.size > mostBytes) return { problem: "it is larger than 5 MB" };
  const bytes = readFile(ground, place);
  if (bytes === undefined) return { problem: "it cannot be read" };
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes)
    ? { text }
    : { problem: "it is not a text in UTF-8, and a team server keeps texts" };
}

const mostBytes = 5 * 1024 * 1024;

/** A runner that works while a completion is under way, or its checks are waited for. */
function onDemand(run: (stop: AbortSignal) => Promise<void>): BridgeDeps["runner"] & { close(): void } {
  let underWay = 0;
  let stop: AbortController | undefined;
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    stop?.abort();
    stop = undefined;
  };
  return {
    begin() {
      underWay += 1;
      clearTimeout(idle);
      if (stop !== undefined) return;
      const own = new AbortController();
      stop = own;
      run(own.signal)
        .catch(() => undefined) // the call itself says why the server turns this person away
        .finally(() => {
          if (stop === own) stop = undefined;
        });
    },
    end(isWaiting) {
      underWay -= 1;
      if (underWay > 0) return;
      clearTimeout(idle);
      idle = setTimeout(end, isWaiting ? waitingMs : 0);
      idle.unref();
    },
    close: end,
  };
}

/** The milliseconds for which a check that the assistant waits for is still run. */
const waitingMs = 60 * 60 * 1000;
