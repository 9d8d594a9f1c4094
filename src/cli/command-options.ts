import { type Command, Option } from "commander";
import { defaultFolders, defaultRoot } from "./terminal/find-root.ts";

const withRoot = (command: Command): Command =>
  command.option(
    "--root <dir>",
    "the workspace, with definitions and settings in its .waymark/ (default: the nearest parent folder that has one, or this folder)",
  );
/** Adds the workspace, found from the current folder. */
export const withDefaultRoot = (command: Command): Command =>
  withRoot(command).hook("preAction", () => {
    if (command.getOptionValue("root") === undefined) command.setOptionValue("root", defaultRoot());
  });
/** Adds the database. */
export const withStore = (command: Command): Command =>
  command.addOption(
    new Option("--store <url>", "keep histories in PostgreSQL: postgres://user:password@host/database").env(
      "WAYMARK_STORE",
    ),
  );
/** A diagnosis does not wait long for a database to come back. */
const patienceOf = (command: Command): { readonly patience?: number } =>
  command.name() === "doctor" ? { patience: 3000 } : {};
/** Adds the store options and opens the database, loaded only when one is given, before the command runs. */
const withOpenStore = (command: Command): Command =>
  withStore(command)
    .addOption(
      new Option("--project <name>", "the project's name in the store (default: default)").env("WAYMARK_PROJECT"),
    )
    .hook("preAction", async () => {
      const { store, project } = command.opts();
      if (store === undefined || store === "") return;
      const { openStore: storeFor } = await import("./team/open-store.ts");
      command.setOptionValue("postgres", storeFor(store, project, command.name() === "serve", patienceOf(command)));
    });
/** Adds the folders and the database, opened before the command runs. */
export const withFolders = (command: Command): Command =>
  withOpenStore(withRoot(command))
    .option("--project-area <dir>", "the folder for state, log and content (default: the root)")
    .option("--definitions <dir>", "read the definitions from this folder, which may be outside the workspace")
    .hook("preAction", () => {
      if (command.getOptionValue("root") !== undefined) return;
      for (const [option, value] of Object.entries({ ...defaultFolders(), ...command.opts() }))
        command.setOptionValue(option, value);
    });
/** Prints data on request. */
export const withJson = (command: Command): Command => command.option("--json", "print data instead of text");
/** Adds the name of a run. */
export const withRun = (command: Command): Command =>
  command.option("--run <name>", "a named run of a bot (default: this folder's run, or all runs in lists)");
/** Adds a bot, its run and the folders. */
export const withBot = (command: Command): Command =>
  withRun(withFolders(command).option("--bot <name>", "the bot, if there are several"));
