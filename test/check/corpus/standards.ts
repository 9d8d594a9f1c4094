import type { Case } from "../broken-bot.ts";
import { soundBot } from "../sound-bot.ts";

const survey = {
  "workflows/survey/metadata.json": { title: "Survey", description: "Looks at a file.", total_phases: 1, name: "look" },
  "workflows/survey/phases/1/phase.md": "# Phase 1: Look\n\n## Validation Gate\n\n- [ ] `file_read`\n",
};
const page = (head: string, text = "# Page\n\nText.\n") => `---\n${head}\n---\n${text}`;

/** Standards that nobody finds, or that are found otherwise than their authors mean. */
export const standardCases: readonly Case[] = [
  {
    title: "sound standards: open, of a workflow, of its phase, of a phase in any workflow, with keys of their own",
    files: {
      ...survey,
      "standards/plain.md": "# Plain\n\nText.\n",
      "standards/deep/er/listed.md": page("title: Listed\ntags: [a, b]\nquestions:\n  - Why?\nowner: team"),
      "standards/of-workflow.md": page("workflow: survey"),
      "standards/of-phase.md": page("workflow: survey\nphases: [1]"),
      "standards/any.md": page("phase: 1"),
      "standards/rule.md": "---\n\nNote: a line, no head.\n\n---\n\nText.\n",
      "standards/notes.txt": "\u0000",
    },
    finds: ["unread-file standards/notes.txt:1"],
  },
  {
    title: "heads that name an owner and cannot be understood",
    files: {
      ...survey,
      "standards/a-soon.md": page("title: Soon\nworkflow: survey\nphase: soon"),
      "standards/b-list.md": page("workflow: [survey]"),
      "standards/c-yaml.md": page("phase: 1\ntitle: a: b"),
      "standards/d-open.md": "---\nphase: 1\n\n# Text\n\nText.\n",
      "standards/e-alias.md": page("title: &a x\nworkflow: *a"),
    },
    finds: [
      "standard-closed standards/a-soon.md:4",
      "standard-closed standards/b-list.md:2",
      "standard-closed standards/c-yaml.md:3",
      "standard-closed standards/d-open.md:1",
      "standard-closed standards/e-alias.md:2",
    ],
  },
  {
    title: "a head without an owner that cannot be understood",
    files: { "standards/page.md": page("tags: [a, b]\ntitle: Gates: how they open") },
    finds: ["front-matter-ignored standards/page.md:3"],
  },
  {
    title: "keys that are almost known",
    files: { "standards/page.md": page("titel: Page\ntags: [a]\ntag: b\nphse: 1") },
    finds: ["unknown-key standards/page.md:2", "unknown-key standards/page.md:5"],
  },
  {
    title: "a workflow that does not exist, beside one that is named by its config",
    files: {
      ...survey,
      "standards/page.md": page("title: Page\nworkflow: surevy\nphase: 9"),
      "standards/renamed.md": page("workflow: look\nphase: 1"),
    },
    finds: ["standard-of-no-workflow standards/page.md:3"],
  },
  {
    title: "phases that do not exist",
    files: {
      ...survey,
      "standards/page.md": page("workflow: survey\nphase: [1, 2, 3]"),
      "standards/other.md": page("phase: 7"),
    },
    finds: [
      "standard-of-no-phase standards/other.md:2",
      "standard-of-no-phase standards/page.md:3",
      "standard-of-no-phase standards/page.md:3",
    ],
  },
  {
    title: "a phase of a workflow whose phases come from a task list",
    files: {
      "workflows/build/metadata.json": {
        title: "Build",
        description: "Builds.",
        total_phases: "dynamic",
        dynamic_phases: true,
      },
      "workflows/build/phases/0/phase.md": survey["workflows/survey/phases/1/phase.md"],
      "standards/page.md": page("workflow: build\nphase: 4"),
    },
    finds: [],
  },
  {
    title: "standards that say nothing",
    files: { "standards/empty.md": "\n", "standards/heads.md": page("title: Heads", "# One\n\n## Two\n") },
    finds: ["empty-text standards/empty.md:1", "empty-text standards/heads.md:1"],
  },
  {
    title: "a standard that is no text, and one that is too large",
    files: {
      "standards/image.md": "\u0000\u0001",
      "standards/large.md": "A line of text.\n".repeat(140_000),
    },
    finds: ["standard-not-searched standards/image.md:1", "standard-not-searched standards/large.md:1"],
  },
  {
    title: "links out of the standards; links inside are no trouble",
    files: { "standards/page.md": "# Page\n\nText.\n", "elsewhere/secret.md": "# Secret\n\nText.\n" },
    links: {
      "standards/out.md": "../elsewhere/secret.md",
      "standards/folder": "../elsewhere",
      "standards/again.md": "page.md",
      "standards/nowhere.md": "missing.md",
    },
    finds: ["link-out-of-standards standards/folder:1", "link-out-of-standards standards/out.md:1"],
  },
  {
    title: "standards alone",
    files: {
      ...Object.fromEntries(Object.keys(soundBot).map((path): [string, null] => [path, null])),
      "standards/page.md": "# Page\n\nText.\n",
    },
    finds: [],
  },
];
