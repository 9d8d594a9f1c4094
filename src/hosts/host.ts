/** The names a user gives to `--client`. */
export type HostId =
  | "claude"
  | "cursor"
  | "vscode"
  | "codex"
  | "gemini"
  | "windsurf"
  | "zed"
  | "copilot"
  | "opencode"
  | "qwen";

/** A host: a program in which an assistant works, and what it must be told to find Waymark. */
export type Host = {
  readonly id: HostId;
  readonly title: string;
  /** What shows that somebody uses it here. */
  readonly traces: Traces;
  /** The files it reads, with our part of each. */
  files(place: Place): readonly HostFile[];
  /** What the person does now, in one sentence. */
  readonly next: string;
};

/** Folders in the project or the home folder, and commands on the path. */
export type Traces = {
  readonly project: readonly string[];
  readonly home: readonly string[];
  readonly commands: readonly string[];
};

/** Where init works: the project, the person's home folder, and how Waymark is started. */
export type Place = {
  readonly root: string;
  readonly home: string;
  readonly start: Start;
  /** Hooks are left out. */
  readonly noHooks?: true;
};

/** How hosts start Waymark. */
export type Start = {
  /** From a file that colleagues share: the host calls the project's folder by this word. */
  inProject(folder: string): CommandLine;
  /** From a file of this machine, for all projects. */
  readonly onThisMachine: CommandLine;
  /** What must be done first for a shared file to work. */
  readonly needs?: string;
};

/** A program and its arguments, as a host starts them. */
export type CommandLine = {
  readonly command: string;
  readonly args: readonly string[];
  /** The first start may have to fetch the package. */
  readonly fetches?: boolean;
};

/** A file of a host; parts that are already there stay as they are. */
export type HostFile = {
  readonly path: string;
  readonly syntax: "json" | "toml" | "text";
  readonly parts: readonly Part[];
};

/** One thing of ours in a file of theirs. */
export type Part = ServerPart | SettingPart | ItemsPart | HookPart | BlockPart;

/** The server's entry under the key that holds the host's servers. */
export type ServerPart = {
  readonly kind: "server";
  readonly under: string;
  readonly entry: Settings;
  /** The program and its arguments stand in one list, as the command. */
  readonly asList?: true;
  /** Set in a file that serves all projects: an entry belongs to the project whose folder it names. */
  readonly root?: string;
};

/** One setting, by its path. */
export type SettingPart = {
  readonly kind: "setting";
  readonly at: readonly string[];
  readonly value: boolean | string | number;
  /** Somebody asked for this value: it takes the place of another. */
  readonly replace?: true;
  /** It says which form the file has, and stays as long as anything else stands there. */
  readonly form?: true;
};

/** Items that a list must hold. */
export type ItemsPart = {
  readonly kind: "items";
  readonly at: readonly string[];
  readonly items: readonly string[];
};

/** One of our hooks in the list that an event has; one of ours that is there takes the new form. */
export type HookPart = {
  readonly kind: "hook";
  readonly at: readonly string[];
  readonly entry: HookEntry;
};

/** A hook as a host wants it written. */
export type HookEntry = { readonly [key: string]: Setting | readonly Settings[] };

/** Lines of a text file, between two marks that say whose they are. */
export type BlockPart = {
  readonly kind: "block";
  readonly marks: Marks;
  /** None: a block that is there goes. */
  readonly lines: readonly string[];
  /** The lines of the block that it takes the place of, where another setting held. */
  readonly not?: readonly string[];
  /** How the line begins that says how Waymark is started: it follows the command, whatever was changed in the others. */
  readonly commandLine?: string;
  /** The lines that earlier inits wrote. */
  readonly earlier?: readonly (readonly string[])[];
};

/** The lines before and after a block of ours. */
export type Marks = { readonly begin: string; readonly end: string };

/** A value that stands in a server's entry. */
export type Setting = string | number | boolean | readonly string[] | { readonly [key: string]: string };
/** A server's entry, key by key. */
export type Settings = { readonly [key: string]: Setting };

/** The name our server has in every host. */
export const serverName = "waymark";

/** The variable by which a host that starts servers anywhere names the project's folder. */
export const rootVariable = "WAYMARK_ROOT";
