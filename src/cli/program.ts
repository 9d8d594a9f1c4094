import { Command, Option } from "commander";
import { hookHosts } from "../hooks/occasion.ts";
import { version } from "../version.ts";
import { defaultPlace, defaultRoot } from "./find-root.ts";

/** The command line: which commands there are, and what each is told. */
export const program = new Command("waymark")
  .description("Walks AI assistants through your process: in order, with proof, resumed exactly where it stopped.")
  .version(version)
  .configureHelp({ showGlobalOptions: true });

const withRoot = (command: Command): Command =>
  command.option(
    "--root <dir>",
    "the workspace; definitions and settings live in its .waymark/ (default: the nearest folder upwards with one, or here)",
  );
const rooted = (command: Command): Command =>
  withRoot(command).hook("preAction", () => {
    if (command.getOptionValue("root") === undefined) command.setOptionValue("root", defaultRoot());
  });
const withStore = (command: Command): Command =>
  command.addOption(
    new Option("--store <url>", "what is kept stands in PostgreSQL: postgres://user:password@host/database").env(
      "WAYMARK_STORE",
    ),
  );
/** The database, where one keeps the histories, is opened before the command is carried out, and loaded only then. */
const stored = (command: Command): Command =>
  withStore(command)
    .addOption(
      new Option("--project <name>", "the project's name in that store (default: default)").env("WAYMARK_PROJECT"),
    )
    .hook("preAction", async () => {
      const { store, project } = command.opts();
      if (store === undefined || store === "") return;
      const { storeFor } = await import("./store.ts");
      command.setOptionValue("postgres", storeFor(store, project, command.name() === "serve"));
    });
const place = (command: Command): Command =>
  stored(withRoot(command))
    .option("--project-area <dir>", "where state, log and content go (default: the root)")
    .option("--definitions <dir>", "read the definitions from here instead, also from outside the workspace")
    .hook("preAction", () => {
      if (command.getOptionValue("root") !== undefined) return;
      for (const [option, value] of Object.entries({ ...defaultPlace(), ...command.opts() }))
        command.setOptionValue(option, value);
    });
const ofRun = (command: Command): Command =>
  command.option(
    "--run <name>",
    "a named run of a bot (default: the one of this folder, or all where several are shown)",
  );
const ofBot = (command: Command): Command =>
  ofRun(place(command).option("--bot <name>", "which bot, where there are several"));

program
  .command("init")
  .description("Set a project up: a process from a template, and the assistants that walk it")
  .option("--root <dir>", "the workspace (default: the project that this folder belongs to, or this folder)")
  .option(
    "--template <name>",
    "story-bot, test-generation or blank (default: story-bot, where there are no definitions yet)",
  )
  .option(
    "--client <name...>",
    "claude, cursor, vscode, codex, gemini, windsurf, zed, copilot, opencode, qwen, or all; also as a comma list",
    [],
  )
  .option(
    "--command <line>",
    "what the assistants run to start waymark (default: the project's own copy, npx or the command waymark)",
  )
  .option(
    "--tests <tool>",
    "what Waymark runs the tests with: npm, pnpm, pytest, go, cargo, or none (default: what the project has)",
  )
  .option("--no-hooks", "leave the assistants' hooks out: no card, no denials, no reminders")
  .option("--history <where>", "local: histories stay with this working copy; committed: git keeps them")
  .option("--dry-run", "show the changes, write nothing")
  .option("--remove", "take out what init put in; with --client, only there")
  .option("-y, --yes", "ask nothing: the default template, the assistants found on this machine")
  .option("--json", "print data instead of text")
  .action(async (options) => (await import("./init.ts")).init(options));

place(program.command("serve"))
  .description("Serve the bots and workflows to an assistant over MCP: over stdio, or to a team with --http")
  .option("--http [host:port]", "serve over Streamable HTTP instead (default: 127.0.0.1:4319; port 0: any)")
  .option("--projects <file>", 'with --http: several projects, each at /mcp/NAME: {"NAME": {"definitions", "area"?}}')
  .option("--public-url <url>", "with --http: the address that people use, where something stands in front")
  .action(async (options) =>
    options.http === undefined
      ? (await import("./serve.ts")).serve(options)
      : (await import("./serve-http.ts")).serveHttp(options),
  );

ofBot(program.command("status"))
  .description("Where every behavior and session stands, and what comes next")
  .option("--all", "every step, run and session, not only what matters now")
  .option(
    "--insights",
    "how the process does instead: time per step, first passes, what is missed, how long people are waited for",
  )
  .option("--watch", "stay, and show it anew whenever something is recorded, by any process")
  .option("--json", "print data instead of text")
  .action(async (options) => (await import("./status.ts")).status(options));

place(program.command("dashboard"))
  .description(
    "See it in the browser: every run live, what waits for you, whether the record is whole, how the process does",
  )
  .option("--port <number>", "the port on this machine (default: the one of the last time, or any that is free)")
  .option("--no-open", "only say where it is")
  .option("--json", "print data instead of text")
  .action(async (options) => (await import("./dashboard.ts")).dashboard(options));

ofBot(program.command("log"))
  .description("What was done, when and on whose word")
  .option("--behavior <name>", "only this behavior")
  .option("--action <name>", "only this action")
  .option("--since <time>", "only from this time on: an ISO date, or 30m, 12h, 7d ago")
  .option("--verify", "mark what was edited, voided or adopted, and check the chain")
  .option("--all", "on a terminal: every row, not only the last ones that matter")
  .option("--follow", "go on printing what any process records, as it happens")
  .option("--json", "print data instead of text")
  .action(async (options) => (await import("./log.ts")).log(options));

ofBot(program.command("back"))
  .description("Go back to a completed action or phase; it and what followed must be done again")
  .argument("<step>", "the action to go back to, also BEHAVIOR.ACTION; with --session, the number of the phase")
  .option("--behavior <name>", "of this behavior (default: the current one)")
  .option("--session <id>", "of this session of a phased workflow, as waymark status shows it")
  .option("-y, --yes", "at a terminal: do not ask")
  .option("--json", "print data instead of text")
  .action(async (step, options) => (await import("./back.ts")).back(step, options));

ofRun(place(program.command("show")))
  .description("What waits for a person, whole: outputs, evidence, files and what the rules say of them")
  .argument("[run]", "<bot>.<behavior> or a session's id: what was handed in there last")
  .option("--json", "print data instead of text")
  .action(async (run, options) => (await import("./show.ts")).show(run, options));

ofRun(place(program.command("approve")))
  .description("Approve what waits for a person, after seeing it whole: with a key of your own, or at this terminal")
  .argument("[run]", "<bot>.<behavior> or a session's id, where several wait")
  .option("--comment <text>", "what the assistant is told with it")
  .option("--as <name>", "with which of your keys, where you have several here")
  .option("--web", "see it on a page in the browser, and answer there with a passkey: approve or reject")
  .option("--enroll <name>", "instead: make a key for a person, with a passphrase, and name it among the approvers")
  .option("--passkey", "with --enroll: a passkey, made in the browser")
  .option("--json", "print data instead of text")
  .action(async (run, { enroll, passkey, web, ...options }) => {
    if (passkey === true && enroll === undefined) program.error("--passkey goes with --enroll NAME.");
    if (enroll !== undefined && passkey === true)
      return (await import("./enroll-passkey.ts")).enrollPasskey(enroll, options);
    if (enroll !== undefined) return (await import("./enroll.ts")).enroll(enroll, options);
    if (web === true) return (await import("./approve-web.ts")).answerOnPage(run, options);
    return (await import("./answer.ts")).answerAtTerminal("approve", run, options);
  });

ofRun(place(program.command("reject")))
  .description("Say no to what waits for a person; the reason is the first thing that the assistant reads")
  .argument("[run]", "<bot>.<behavior> or a session's id, where several wait")
  .option("--reason <text>", "what is wrong with it")
  .option("--as <name>", "with which of your keys, where you have several here")
  .option("--json", "print data instead of text")
  .action(async (run, { reason, ...options }) =>
    (await import("./answer.ts")).answerAtTerminal("reject", run, { ...options, comment: reason }),
  );

ofRun(place(program.command("archive")))
  .description("Put an unfinished session or named run away; what it proved stays on record")
  .argument("<name>", "the session's id, as waymark status shows it; with --run, the bot")
  .option("--reason <text>", "why, for the record")
  .option("--json", "print data instead of text")
  .action(async (name, options) => (await import("./archive.ts")).archive(name, options));

place(program.command("trust"))
  .description(
    "Which commands of these definitions you trust to be run on this machine, and whose approval counts on it",
  )
  .option("--list", "only list them")
  .option("--yes", "trust every command listed, without asking; approvers are trusted at a terminal only")
  .option("--revoke", "take back all that was trusted on this machine")
  .option("--json", "print data instead of text")
  .action(async (options) => (await import("./trust.ts")).trust(options));

program
  .command("hook")
  .description("What the hooks of a host call: reads the hook's JSON from standard input, answers in that host's words")
  .argument("<host>", hookHosts.join(", "))
  .argument("<event>", "the event, as the host calls it")
  .option("--json", "the answer is always JSON")
  .action(async (host, event) => (await import("./hook.ts")).hook(host, event));

rooted(program.command("generate"))
  .description("Write a server package for one bot: it runs by itself, and can be published")
  .argument("<bot>", "the bot to make a server of")
  .option("--out <dir>", "the folder to write (default: named as the package)")
  .option("--host <name>", "also a plugin or extension of this host, installed in one step: claude, gemini or codex")
  .option("--name <package>", "the name of the npm package (default: after the bot, and private)")
  .option("--definitions <dir>", "read the definitions from here instead, also from outside the workspace")
  .option("--force", "replace what was changed in the folder since it was generated; write beside other files")
  .option("--json", "print data instead of text")
  .action(async (bot, options) => (await import("./generate.ts")).generate(bot, options));

ofRun(place(program.command("verify")))
  .description(
    "Prove that the audit history is whole and untouched; exits with 1 and the first broken record where it is not",
  )
  .option(
    "--require <workflow>",
    "exit with 1 unless this workflow was walked to the end as the definitions have it, with an untouched history",
  )
  .option("--target <file>", "with --require: for this target of a phased workflow")
  .option(
    "--versions <ref>",
    "with --require: any version of the definitions that this git branch has had will do (the newest 200)",
  )
  .option(
    "--recheck",
    "with --require: run every check of that walk again on the files as they are, and compare; only commands that are trusted here",
  )
  .option(
    "--accept",
    "a person at a terminal takes what is said of the histories as it stands; on record in each of them",
  )
  .option("--sign <key>", "sign the end of every history with this private key (Ed25519, PEM)")
  .option("--key <file...>", "check signed heads, or the attestation, against these public keys")
  .option(
    "--attestation <file>",
    "read an attestation back: its signature, its subjects against the files, what it states against the histories",
  )
  .option("--new-key <file>", "make a pair of keys: FILE and FILE.pub")
  .option(
    "--approvers <file>",
    "whose approvals are proved: those of this file, instead of approvers.json beside the definitions",
  )
  .option("--json", "print data instead of text")
  .action(async (options) => (await import("./verify.ts")).verify(options));

ofRun(place(program.command("export")))
  .description("Write the audit for people who must show it to someone: Markdown and JSON")
  .option(
    "--attestation [workflow]",
    "write an in-toto statement of the walks on record instead (of this workflow, or of all)",
  )
  .option("--target <file>", "with --attestation: for this target of a phased workflow")
  .option("--sign <key>", "with --attestation: in a DSSE envelope, signed with this private key (Ed25519, PEM)")
  .option("--history <file>", "write the histories themselves instead, whole, for waymark import into another store")
  .argument(
    "[run]",
    "with --content or --svg: <bot>.<behavior>, a bot or a session's id (default: all, or the only one)",
  )
  .option("--content <dir>", "write the files that runs have saved into this folder instead, as they were handed in")
  .option("--svg", "draw the map and the timeline of a run instead, for a pull request or a README: one file by itself")
  .option("--out <dir>", "the folder to write", "waymark-audit")
  .option("--json", "print the data instead of writing files; with --content beside them")
  .action(async (run, options) => (await import("./export.ts")).exportAudit(run, options));

place(program.command("import"))
  .description(
    "Bring histories in that waymark export --history wrote, from whatever store: none is doubled, none changed",
  )
  .argument("<file>", "the file that was written")
  .option("--json", "print data instead of text")
  .action(async (file, options) => (await import("./move.ts")).importHistory(file, options));

place(program.command("search"))
  .description("Find the passages of the team's standards that answer a question, as the tools do")
  .argument("[query...]", "the question, in your own words")
  .option("--limit <n>", "how many results at most (default: 3; 10 with --queries)")
  .option("--tags <list>", "only documents with one of these tags, as a comma list")
  .option("--phase <n>", "only documents of this phase")
  .option("--session <id>", "search as this session: what belongs to its open and completed phases is found too")
  .option("--budget <tokens>", "what the results may cost together (default: 600)")
  .option("--queries <file>", "one query a line (- for standard input); prints one line of JSON for each")
  .option("--json", "print data instead of text")
  .action(async (query, options) => (await import("./search.ts")).search(query, options));

rooted(program.command("check"))
  .description("What is wrong with the definitions, by file and line, and what to do; exits with 1 on errors")
  .option("--definitions <dir>", "check the definitions there instead, also outside the workspace")
  .option("--fix", "mend what can be mended without changing what the bots do")
  .option("--draw [form]", "print the sequence of every behavior instead: text or mermaid")
  .option("--explain <workflow>", "print instead what the gates of a phased workflow ask for, and where that stands")
  .option(
    "--write-gates <workflow>",
    "write what the documents of a phased workflow ask for as gate files, to be read and kept",
  )
  .option("--options <json>", "with --explain: the options of a session, where the phases come from a task list")
  .option("--findability", "ask every standard the questions that it lists instead, and print which do not find it")
  .option("--strict", "with --findability: exit with 1 where a document is not among the first three")
  .option("--compact", "one line for each finding, for annotations in CI")
  .option("--json", "print data instead of text")
  .action(async (options) => (await import("./check.ts")).check(options));

const token = program.command("token").description("Tokens of the team server: who may call it, and as what");
rooted(withStore(token.command("add")))
  .description("Make a token; it is shown once")
  .argument("<name>", "whose it is")
  .requiredOption("--role <role>", "agent, approver, viewer, author or runner")
  .option("--project <name>", "good for this project only (default: every one)")
  .option("--json", "print data instead of text")
  .action(async (name, options) => (await import("./token.ts")).addToken(name, options));
rooted(withStore(token.command("list")))
  .description("The tokens there are, and those that were revoked")
  .option("--json", "print data instead of text")
  .action(async (options) => (await import("./token.ts")).listTokens(options));
rooted(withStore(token.command("revoke")))
  .description("Take a token back; within a second nobody gets in with it")
  .argument("<name>", "whose it is")
  .option("--json", "print data instead of text")
  .action(async (name, options) => (await import("./token.ts")).revokeToken(name, options));

/** Whoever mistypes is told where to read on, in a line: the whole help would hide what was wrong. */
function sayWhereHelpIs(command: Command, typed: string): void {
  command.showHelpAfterError(`${typed} --help says more.`);
  for (const one of command.commands) sayWhereHelpIs(one, `${typed} ${one.name()}`);
}
sayWhereHelpIs(program, program.name());
