/** The names for `--client`. */
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

/** A program in which an assistant works, and what it needs to find Waymark. */
export type Host = {
  readonly id: HostId;
  readonly title: string;
  /** Signs that it is used here. */
  readonly traces: HostTraces;
  /** The files it reads, with our part of each. */
  files(place: HostContext): readonly HostFile[];
  /** The next step for the person, in one sentence. */
  readonly next: string;
  /** A link that adds the server to the host itself, for every project. */
  link?(start: Start): string;
};

/** Folders in the project or the home folder, and commands on the PATH. */
export type HostTraces = {
  readonly project: readonly string[];
  readonly home: readonly string[];
  readonly commands: readonly string[];
};

/** The folders that init works in, and how Waymark is started. */
export type HostContext = {
  readonly root: string;
  readonly home: string;
  readonly start: Start;
  /** Leaves hooks out. */
  readonly noHooks?: true;
};

/** The ways hosts start Waymark. */
export type Start = {
  /** From a file that colleagues share; `folder` is the host's variable for the project's folder. */
  inProject(folder: string): CommandLine;
  /** From a file of this machine, for all projects. */
  readonly onThisMachine: CommandLine;
  /** The step that must come first for a shared file to work. */
  readonly needs?: string;
};

/** A program and its arguments, as a host starts them. */
export type CommandLine = {
  readonly command: string;
  readonly args: readonly string[];
  /** True if the first start may have to fetch the package. */
  readonly fetches?: boolean;
};

/** A file of a host; parts that are already there stay as they are. */
export type HostFile = {
  readonly path: string;
  readonly syntax: "json" | "toml" | "text";
  readonly parts: readonly FilePart[];
};

/** One of our entries in a host's file. */
export type FilePart = ServerPart | SettingPart | ItemsPart | HookPart | BlockPart;

/** The server's entry under the host's key for servers. */
export type ServerPart = {
  readonly kind: "server";
  readonly under: string;
  readonly entry: Settings;
  /** True if the command is one list of program and arguments. */
  readonly asList?: true;
  /** Set in a file for all projects: the folder of the project an entry belongs to. */
  readonly root?: string;
};

/** One setting, by its path. */
export type SettingPart = {
  readonly kind: "setting";
  readonly at: readonly string[];
  readonly value: boolean | string | number;
  /** True if someone chose this value, so that it replaces another. */
  readonly replace?: true;
  /** True if it describes the file's form, so that it stays as long as anything else is there. */
  readonly form?: true;
};

/** Items that a list must contain. */
export type ItemsPart = {
  readonly kind: "items";
  readonly at: readonly string[];
  readonly items: readonly string[];
};

/** One of our hooks in an event's list; an existing one of ours is updated. */
export type HookPart = {
  readonly kind: "hook";
  readonly at: readonly string[];
  readonly entry: HookEntry;
};

/** A hook in the host's form. */
export type HookEntry = { readonly [key: string]: Setting | readonly Settings[] };

/** Lines of a text file between two marks. */
export type BlockPart = {
  readonly kind: "block";
  readonly marks: Marks;
  /** Empty lines remove an existing block. */
  readonly lines: readonly string[];
  /** The lines of the opposite setting, which these replace. */
  readonly not?: readonly string[];
  /** The start of the line with the command, which is always updated. */
  readonly commandLine?: string;
  /** The lines that earlier versions of init wrote. */
  readonly earlier?: readonly (readonly string[])[];
};

/** The lines before and after our block. */
export type Marks = { readonly begin: string; readonly end: string };

/** A value in a server's entry. */
export type Setting = string | number | boolean | readonly string[] | { readonly [key: string]: string };
/** A server's entry. */
export type Settings = { readonly [key: string]: Setting };

/** The name of our server in every host. */
export const serverName = "waymark";

/** The variable for the project's folder, in hosts that start servers elsewhere. */
export const rootVariable = "WAYMARK_ROOT";
