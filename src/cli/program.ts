import { Command } from "commander";
import { hookHosts } from "../hosts/hooks/hook-event.ts";
import { version } from "../version.ts";
import { withBot, withDefaultRoot, withFolders, withJson, withRun, withStore } from "./command-options.ts";

/** The command line with all its commands and options. */
export const program = new Command("waymark")
  .description("Guides AI assistants through your process: in order, with evidence, and resumable at any step.")
  .version(version)
  .configureHelp({ showGlobalOptions: true });

program
  .command("init")
  .description("Set up a project: a process from a template, and your assistants")
  .option("--root <dir>", "the workspace (default: the project this folder belongs to, or this folder)")
  .option(
    "--template <name>",
    "story-bot, test-generation, bug-fix, spec-driven or blank (default: story-bot, if there are no definitions yet)",
  )
  .option(
    "--client <name...>",
    "claude, cursor, vscode, codex, gemini, windsurf, zed, copilot, opencode, qwen, or all; separate several by commas",
    [],
  )
  .option("--command <line>", "the command that starts waymark (default: the project's own copy, npx or waymark)")
  .option(
    "--vendor",
    "put a copy of this Waymark into .waymark/vendor/, to be committed; colleagues then need only Node",
  )
  .option("--tests <tool>", "the test runner: npm, pnpm, pytest, go, cargo or none (default: detected)")
  .option("--no-hooks", "do not install hooks: no status card, no blocked edits, no reminders")
  .option("--history <where>", "local: histories stay in this working copy; committed: they are committed to git")
  .option("--dry-run", "show the changes without writing them")
  .option("--remote <url>", "make assistants reach this team server instead, which has the definitions")
  .option("--new-identity", "make a copy of a project (a template, a fork) one of its own; puts its histories away")
  .option("--remove", "remove what init added; with --client, only for those assistants")
  .option("-y, --yes", "do not ask: use the default template and the assistants found on this machine")
  .option("--json", "print data instead of text")
  .action(async (options) => (await import("./work/init.ts")).init(options));

withFolders(program.command("serve"))
  .description("Run the MCP server: over stdio, or for a team with --http")
  .option("--http [host:port]", "serve over Streamable HTTP (default: 127.0.0.1:4319; port 0: any free port)")
  .option(
    "--projects <file>",
    'with --http: several projects, each at /mcp/NAME: {"NAME": {"definitions", "area"?, "notify"?}}',
  )
  .option("--public-url <url>", "with --http: the address people use, if it runs behind a proxy")
  .option("--oauth-issuer <url>", "with --http: accept access tokens of this OAuth issuer")
  .option("--oauth-audience <name>", "the audience of those tokens (default: the public address of /mcp)")
  .option("--oauth-roles <file>", "which claims give which role and project (default: everyone is an agent)")
  .option(
    "--oauth-client <id>",
    "the client by which people sign in to the dashboard; its secret is WAYMARK_OAUTH_SECRET",
  )
  .option("--remote <url>", "serve over stdio by passing calls to this team server, and run the caller's checks here")
  .option("--login", "with --remote: sign in once, with a token or in the browser")
  .action(async ({ remote, login, ...options }) => {
    if (remote !== undefined)
      return (await import("./team/serve-remote.ts")).serveRemote({ ...options, remote, login });
    if (login === true) program.error("--login needs --remote URL.");
    return options.http === undefined
      ? (await import("./work/serve.ts")).serve(options)
      : (await import("./team/serve-http.ts")).serveHttp(options);
  });

withJson(withBot(program.command("status")))
  .description("Show where every run and session is, and what comes next")
  .option("--all", "show every step, run and session, not only the current ones")
  .option("--items", "show the items of each step, with the state of their sessions")
  .option("--insights", "show statistics instead: time per step, first-pass rate, missing evidence, waiting time")
  .option("--watch", "keep running and refresh on every change")
  .action(async (options) => (await import("./work/status.ts")).status(options));

withJson(withFolders(program.command("dashboard")))
  .description("Open the dashboard in the browser: live runs, your inbox, the audit, statistics")
  .option("--port <number>", "the local port (default: the last one used, or any free port)")
  .option("--no-open", "print the address without opening it")
  .action(async (options) => (await import("./people/dashboard.ts")).dashboard(options));

withJson(withBot(program.command("log")))
  .description("Show the activity log: what was done, when, and who approved it")
  .option("--behavior <name>", "only this behavior")
  .option("--action <name>", "only this action")
  .option("--since <time>", "only after this time: an ISO date, or 30m, 12h, 7d ago")
  .option("--verify", "mark edited, voided and adopted records, and check the chain")
  .option("--all", "on a terminal: show every row, not only the latest")
  .option("--follow", "keep printing new records as they are written")
  .action(async (options) => (await import("./work/log.ts")).log(options));

withJson(withBot(program.command("back")))
  .description("Go back to a completed action or phase; it and everything after it must be redone")
  .argument("<step>", "the action (or BEHAVIOR.ACTION) to go back to; with --session, the phase number")
  .option("--behavior <name>", "the behavior (default: the current one)")
  .option("--session <id>", "the session of a phased workflow, as shown by waymark status")
  .option("-y, --yes", "do not ask for confirmation; a session needs a terminal all the same")
  .action(async (step, options) => (await import("./work/back.ts")).back(step, options));

withJson(withFolders(program.command("update")))
  .description("Move a session to the current version of its definition; shows what must be redone, and asks")
  .argument("<session>", "the session of a phased workflow, as shown by waymark status")
  .action(async (session, options) => (await import("./work/update.ts")).update(session, options));

withJson(withRun(withFolders(program.command("show"))))
  .description("Show what is waiting for a person in full: a blocked step, or a submission to approve")
  .argument("[run]", "<bot>.<behavior> or a session id: show its latest submission")
  .action(async (run, options) => (await import("./people/show.ts")).show(run, options));

withJson(withRun(withFolders(program.command("approve"))))
  .description("Review and approve a submission, at this terminal or with your own key")
  .argument("[run]", "<bot>.<behavior> or a session id, if several are waiting")
  .option("--comment <text>", "a comment for the assistant")
  .option("--as <name>", "the key to use, if you have several")
  .option("--web", "review it in the browser, and approve or reject with a passkey")
  .option("--enroll <name>", "instead: create a key with a passphrase and add it to the approvers")
  .option("--passkey", "with --enroll: create a passkey in the browser")
  .action(async (run, { enroll, passkey, web, ...options }) => {
    if (passkey === true && enroll === undefined) program.error("--passkey needs --enroll NAME.");
    if (enroll !== undefined && passkey === true)
      return (await import("./people/enroll-passkey.ts")).enrollPasskey(enroll, options);
    if (enroll !== undefined) return (await import("./people/enroll.ts")).enroll(enroll, options);
    if (web === true) return (await import("./people/approve-in-browser.ts")).approveInBrowser(run, options);
    return (await import("./people/approve.ts")).answerAtTerminal("approve", run, options);
  });

withJson(withRun(withFolders(program.command("reject"))))
  .description("Reject a submission; the assistant reads your reason first")
  .argument("[run]", "<bot>.<behavior> or a session id, if several are waiting")
  .option("--reason <text>", "the reason, for the assistant")
  .option("--as <name>", "the key to use, if you have several")
  .action(async (run, { reason, ...options }) =>
    (await import("./people/approve.ts")).answerAtTerminal("reject", run, { ...options, comment: reason }),
  );

withJson(withRun(withFolders(program.command("answer"))))
  .description("Answer the assistant about a blocked step; it reads your text first, and the step is open again")
  .arguments("<run> <text>")
  .option("--again", "at a step that led back as often as it may: one more round")
  .option("--continue", "at such a step: go on to the next step")
  .option("--as <name>", "the key to use with these, if you have several")
  .action(async (run, text, options) => (await import("./people/respond.ts")).answer(run, text, options));

withJson(withRun(withFolders(program.command("waive"))))
  .description("Waive requirements or checks of an open step, for this attempt; recorded with your reason")
  .arguments("<run> <fields...>")
  .requiredOption("--reason <text>", "the reason, for the assistant and the record")
  .option("--then <step>", "what follows if routes read what is waived: a step, an outcome or next")
  .option("--as <name>", "the key to use, if you have several")
  .action(async (run, fields, options) => (await import("./people/respond.ts")).waive(run, fields, options));

withJson(withRun(withFolders(program.command("drop"))))
  .description("Drop an item of an open step: it no longer has to be done; counts as a waiver")
  .arguments("<run> <item>")
  .requiredOption("--reason <text>", "the reason, for the assistant and the record")
  .option("--as <name>", "the key to use, if you have several")
  .action(async (run, item, options) => (await import("./people/respond.ts")).drop(run, item, options));

withJson(withRun(withFolders(program.command("end"))))
  .description("End a run with one of the outcomes that its workflow declares")
  .arguments("<run> <outcome>")
  .option("--reason <text>", "the reason, for the record")
  .action(async (run, outcome, options) => (await import("./people/respond.ts")).end(run, outcome, options));

withJson(withFolders(program.command("start")))
  .description("Start a session of a workflow, or show the unfinished one")
  .arguments("<workflow> [target]")
  .option("--input <name=value...>", "an input of the workflow; can be repeated")
  .action(async (workflow, target, options) => (await import("./work/start.ts")).start(workflow, target, options));

withJson(withRun(withFolders(program.command("archive"))))
  .description("Archive an unfinished session or named run; its history stays")
  .argument("<name>", "the session id, as shown by waymark status; with --run, the bot")
  .option("--reason <text>", "the reason, for the record")
  .action(async (name, options) => (await import("./work/archive.ts")).archive(name, options));

withJson(withFolders(program.command("trust")))
  .description("Choose which commands, approvers and webhooks of these definitions you trust on this machine")
  .option("--list", "only list them")
  .option("--yes", "trust every listed command without asking; approvers still need a terminal")
  .option("--revoke", "revoke everything trusted on this machine")
  .action(async (options) => (await import("./people/trust.ts")).trust(options));

withJson(withFolders(program.command("doctor")))
  .description("Say what is wrong with this set-up and how to fix it; changes nothing, exits 1 if there is a problem")
  .action(async (options) => (await import("./work/doctor.ts")).doctor(options));

program
  .command("hook")
  .description("Answer a host's hook: reads its JSON from standard input and replies in that host's format")
  .argument("<host>", hookHosts.join(", "))
  .argument("<event>", "the event, by the host's own name")
  .option("--json", "the answer is always JSON")
  .action(async (host, event) => (await import("./work/hook.ts")).hook(host, event));

withDefaultRoot(program.command("generate"))
  .description("Generate a standalone MCP server package for one bot")
  .argument("<bot>", "the bot to generate a server for")
  .option("--out <dir>", "the output folder (default: the package name)")
  .option("--host <name>", "also write a plugin or extension for this host: claude, gemini or codex")
  .option("--name <package>", "the npm package name (default: the bot's name, private)")
  .option("--definitions <dir>", "read the definitions from this folder, which may be outside the workspace")
  .option("--force", "overwrite generated files you have changed, and write into a folder with other files")
  .option("--json", "print data instead of text")
  .action(async (bot, options) => (await import("./authors/generate.ts")).generate(bot, options));

withJson(withRun(withFolders(program.command("verify"))))
  .description("Verify that the audit history is complete and unmodified; exits 1 and names the first broken record")
  .option("--require <workflow>", "exit 1 unless this workflow was completed as defined, with an unmodified history")
  .option("--target <file>", "with --require: the target of a phased workflow")
  .option(
    "--versions <ref>",
    "with --require: accept any version of the definitions this git branch has had (newest 200)",
  )
  .option("--recheck", "with --require: rerun every check on the current files and compare; runs only trusted commands")
  .option(
    "--base <ref|dir>",
    "with --require: the agreed state of a pull request: its histories must go on here, and its definitions judge",
  )
  .option("--allow-definitions", "with --base: report changed definitions without failing")
  .option("--summary <file>", "with --require: append the result to this file as Markdown, with a picture of the run")
  .option("--allow-waived", "with --require: report waived requirements without failing")
  .option("--outcome <name>", "with --require: the outcome it must have ended with (default: done)")
  .option("--accept", "accept the problems found; asks at a terminal and is recorded in each history")
  .option("--sign <key>", "sign the head of every history with this private key (Ed25519, PEM)")
  .option("--key <file...>", "check signed heads, or the attestation, against these public keys")
  .option("--attestation <file>", "verify an attestation: its signature, its subjects and its statements")
  .option("--new-key <file>", "create a key pair: FILE and FILE.pub")
  .option("--approvers <file>", "verify approvals against this file instead of approvers.json")
  .action(async (options) => (await import("./people/verify.ts")).verify(options));

withRun(withFolders(program.command("export")))
  .description("Export the audit as Markdown and JSON")
  .option(
    "--attestation [workflow]",
    "write an in-toto statement of the recorded runs instead (of one workflow or all)",
  )
  .option("--target <file>", "with --attestation: the target of a phased workflow")
  .option("--sign <key>", "with --attestation: sign it in a DSSE envelope with this private key (Ed25519, PEM)")
  .option("--history <file>", "write the complete histories instead, for waymark import into another store")
  .argument("[run]", "with --content or --svg: <bot>.<behavior>, a bot or a session id (default: all, or the only one)")
  .option("--content <dir>", "write the files that runs saved into this folder instead, as submitted")
  .option("--svg", "draw a run's map and timeline as one SVG instead, for a pull request or README")
  .option("--out <dir>", "the output folder", "waymark-audit")
  .option("--json", "print the data instead of writing files; with --content, print it as well")
  .action(async (run, options) => (await import("./work/export.ts")).exportAudit(run, options));

withJson(withFolders(program.command("import")))
  .description("Import histories written by waymark export --history; none is duplicated or changed")
  .argument("<file>", "the exported file")
  .action(async (file, options) => (await import("./work/export-import-history.ts")).importHistory(file, options));

withRun(withFolders(program.command("forget")))
  .description("Erase the files of finished runs, or a run as a whole; asks at a terminal, and is recorded")
  .argument("[run]", "<bot>.<behavior>, a bot or a session id; or --older-than")
  .option("--older-than <time>", "every finished run that has not changed for this long, such as 365d")
  .option("--whole", "erase the records, views and caches of the run too; a tombstone stays")
  .requiredOption("--reason <text>", "the reason, for the record")
  .action(async (run, options) => (await import("./team/forget.ts")).forget(run, options));

withJson(withFolders(program.command("search")))
  .description("Search the team's standards the way the tools do")
  .argument("[query...]", "your question")
  .option("--terms <list>", "comma-separated words that a document with the answer would use")
  .option("--limit <n>", "the maximum number of results (default: 3; 10 with --queries)")
  .option("--tags <list>", "only documents with one of these comma-separated tags")
  .option("--phase <n>", "only documents of this phase")
  .option("--session <id>", "search as this session: also finds documents of its open and completed phases")
  .option("--budget <tokens>", "the token budget for all results (default: 600)")
  .option("--queries <file>", "one query per line (- for standard input); prints one line of JSON per query")
  .action(async (query, options) => (await import("./work/search-command.ts")).search(query, options));

withJson(withDefaultRoot(program.command("adopt")))
  .description(
    "Bring a drafted page or folder of definitions into the project; shows what each step will ask, and asks you",
  )
  .argument(
    "<path>",
    "a Markdown page, a folder of definitions, a SKILL.md, or a workflow of spec-kit or codemcp (YAML)",
  )
  .option("--definitions <dir>", "bring it into this definitions folder (default: <root>/.waymark)")
  .option("--name <name>", "its name in the project (default: the name of the page or folder)")
  .option("--replace", "replace what has the same name")
  .option("-y, --yes", "do not ask for confirmation")
  .action(async (path, options) => (await import("./authors/adopt.ts")).adopt(path, options));

withJson(withDefaultRoot(program.command("check")))
  .argument("[file]", "a page: print each line as enforced, asked or not read instead")
  .description("Check the definitions: every finding with file, line and fix; exits 1 on errors")
  .option("--definitions <dir>", "check the definitions in this folder, which may be outside the workspace")
  .option(
    "--fix",
    "fix what can be fixed without changing what the bots do; with a page, rewrite lines so that they are enforced",
  )
  .option("--draw [form]", "print the sequence of every behavior instead, as text or mermaid")
  .option("--explain <workflow>", "print what the gates of a phased workflow require instead, with file and line")
  .option("--write-gates <workflow>", "write the requirements found in a phased workflow's documents as gate files")
  .option("--options <json>", "with --explain: the session options, if the phases come from a task list")
  .option("--findability", "search for each standard by the questions it lists, and print those that miss it")
  .option(
    "--strict",
    "exit 1 if a line with a number, comparison or condition is only asked; with --findability, if a document is not among the first three",
  )
  .option("--compact", "one line per finding, for CI annotations")
  .action(async (file, options) => (await import("./authors/check-command.ts")).check(file, options));

const token = program.command("token").description("Manage the tokens of the team server");
withJson(withDefaultRoot(withStore(token.command("add"))))
  .description("Create a token; it is shown once")
  .argument("<name>", "the token's owner")
  .requiredOption("--role <role>", "agent, approver, viewer, author or runner")
  .option("--project <name>", "valid for this project only (default: all projects)")
  .option("--expires <time>", "stop working after this long, such as 90d (default: never)")
  .action(async (name, options) => (await import("./team/token-command.ts")).addToken(name, options));
withJson(withDefaultRoot(withStore(token.command("list"))))
  .description("List the tokens, including revoked ones")
  .action(async (options) => (await import("./team/token-command.ts")).listTokens(options));
withJson(withDefaultRoot(withStore(token.command("revoke"))))
  .description("Revoke the tokens of a name; they stop working within a second")
  .argument("<name>", "the token's owner")
  .option("--older", "after a rotation: only those that a newer one replaces")
  .action(async (name, options) => (await import("./team/token-command.ts")).revokeToken(name, options));

withJson(withFolders(program.command("notify")))
  .description("List the webhooks that are notified when something needs a person")
  .option("--test", "send each a test message; exits 1 if one does not take it")
  .option("--projects <file>", "the webhooks of a server's projects file instead")
  .action(async (options) => (await import("./team/notify-command.ts")).notify(options));

withJson(withFolders(program.command("runner")))
  .description("Run checks for a team server, beside the files")
  .option("--url <url>", "the address of the team server, such as https://waymark.example.com/mcp")
  .option("--login", "with --url: sign in once, with a runner's token; in CI set WAYMARK_TOKEN")
  .option("--as <name>", "the key to sign with, if you have several; in CI set WAYMARK_RUNNER_KEY")
  .option("--enroll <name>", "instead: create a runner's key and add it to the runners of these definitions")
  .option("--public <key>", "with --enroll: add this public key, created elsewhere")
  .action(async ({ enroll, ...options }) => {
    if (enroll !== undefined) return (await import("./team/enroll-runner.ts")).enrollRunner(enroll, options);
    if (options.url === undefined) program.error("runner needs --url URL, or --enroll NAME.");
    return (await import("./team/runner-command.ts")).runner(options);
  });

/** The groups of `waymark --help`, in the order of the commands. */
const helpGroups = {
  "Work:": ["init", "serve", "start", "status", "dashboard", "log", "back", "update", "archive", "doctor", "hook"],
  "People:": ["show", "approve", "reject", "answer", "waive", "drop", "end", "trust"],
  "Authors:": ["generate", "search", "adopt", "check"],
  "Team:": ["verify", "export", "import", "forget", "notify", "token", "runner"],
};
for (const [heading, names] of Object.entries(helpGroups))
  for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(heading);

/** Points to the help in one line after a usage error, because the whole help would hide the error. */
function pointToHelp(command: Command, typed: string): void {
  command.showHelpAfterError(`Run ${typed} --help for usage.`);
  for (const one of command.commands) pointToHelp(one, `${typed} ${one.name()}`);
}
pointToHelp(program, program.name());
