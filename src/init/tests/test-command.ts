/** The tools whose tests Waymark knows how to run and count. */
export const testTools = ["npm", "pnpm", "pytest", "go", "cargo"] as const;
export type TestTool = (typeof testTools)[number];

/** How the tests of a project are run so that Waymark can count them. */
export type TestCommand = {
  readonly tool: TestTool;
  readonly run: readonly string[];
  readonly reports: readonly { readonly format: "junit" | "vitest" | "lcov" | "cobertura"; readonly path: string }[];
  /** What belongs to the command: a change needs a person's trust anew. */
  readonly pins: readonly string[];
  /** What the result depends on, where that is not everything that git has. */
  readonly reads?: readonly string[];
  /** What a person has to do before more can be counted. */
  readonly lacks?: string;
};

/** Where reports go: a folder that init lays down, that git ignores, and that no check reads. */
export const reportsFolder = ".waymark/reports";
