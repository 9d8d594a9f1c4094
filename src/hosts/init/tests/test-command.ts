/** The tools whose tests Waymark can run and count. */
export const testTools = ["npm", "pnpm", "pytest", "go", "cargo"] as const;
export type TestTool = (typeof testTools)[number];

/** A command that runs a project's tests so that Waymark can count them. */
export type TestCommand = {
  readonly tool: TestTool;
  readonly run: readonly string[];
  readonly reports: readonly { readonly format: "junit" | "vitest" | "lcov" | "cobertura"; readonly path: string }[];
  /** Parts of the command; a change needs trust again. */
  readonly pins: readonly string[];
  /** The files that the result depends on, if not everything in git. */
  readonly reads?: readonly string[];
  /** The step that lets Waymark count more. */
  readonly lacks?: string;
};

/** The folder for reports, which init creates, git ignores, and no check reads. */
export const reportsFolder = ".waymark/reports";
