import type { VNode } from "preact";
import type { BoardHome } from "../../api/board-data.ts";
import { connection, runs } from "../live/runs.ts";
import { Button } from "../shared/button.tsx";
import { Mark } from "../shared/frame.tsx";
import { Icon, type IconName } from "../shared/icon.tsx";
import { nextTheme, type Theme, theme } from "../shared/theme.ts";
import { UntrustedLine, visibleText } from "../shared/untrusted-text.tsx";
import { isHelpOpen } from "./help.tsx";
import { type BoardLocation, currentLocation, href } from "./location.ts";

const views = [
  { view: "runs", name: "Runs" },
  { view: "inbox", name: "Inbox" },
  { view: "audit", name: "Audit" },
  { view: "process", name: "Process" },
] as const;

/** The header of the board: project, views, waiting items, connection and record status. */
export function BoardHeader({ home, waiting }: { readonly home: BoardHome; readonly waiting: number }): VNode {
  return (
    <header class="top board-top">
      <Button class="skip" onClick={() => document.getElementById("content")?.focus()}>
        Skip to content
      </Button>
      <a class="home" href={href({ view: "runs" })} aria-label="Waymark, all runs">
        <Mark />
        <strong>Waymark</strong>
      </a>
      <Project home={home} />
      <nav aria-label="Views">
        {views.map(({ view, name }) => (
          <a key={view} href={href({ view })} aria-current={isAt(currentLocation.value, view) ? "page" : undefined}>
            {name}
            {view === "inbox" && waiting > 0 ? (
              <span class="count">
                {waiting}
                <span class="aloud"> waiting</span>
              </span>
            ) : null}
          </a>
        ))}
      </nav>
      <div class="states">
        <Live />
        <Record />
        <Button kind="bare" onClick={nextTheme} title={themeLabels[theme.value].title}>
          <Icon name={themeLabels[theme.value].icon} />
          <span class="aloud">{themeLabels[theme.value].title}</span>
        </Button>
        <Button kind="bare" class="keys" onClick={() => (isHelpOpen.value = true)} title="Keyboard shortcuts">
          ?<span class="aloud"> Keyboard shortcuts</span>
        </Button>
      </div>
    </header>
  );
}

const themeLabels: Readonly<Record<Theme, { readonly title: string; readonly icon: IconName }>> = {
  auto: { title: "System theme", icon: "half" },
  light: { title: "Light theme", icon: "sun" },
  dark: { title: "Dark theme", icon: "moon" },
};

function isAt({ view }: BoardLocation, of: (typeof views)[number]["view"]): boolean {
  return view === of || (view === "run" && of === "runs");
}

function Project({ home: { project, projects } }: { readonly home: BoardHome }): VNode {
  if (projects.length < 2)
    return (
      <span class="project">
        <UntrustedLine text={project} most={40} />
      </span>
    );
  const turn = (name: string): void => location.assign(`/?project=${encodeURIComponent(name)}`);
  return (
    <select class="project" aria-label="Project" onChange={({ currentTarget }) => turn(currentTarget.value)}>
      {projects.map((name) => (
        <option key={name} value={name} selected={name === project}>
          {visibleText(name, 60)}
        </option>
      ))}
    </select>
  );
}

function Live(): VNode {
  const state = connection.value;
  const said = { asking: "connecting", live: "live", behind: "out of date", refused: "signed out" }[state.kind];
  return (
    <span class={`live ${state.kind}`} role="status">
      <Icon name="dot" />
      <span class="word">{said}</span>
    </span>
  );
}

function Record(): VNode | null {
  const known = runs.value;
  if (known === undefined || "no" in known) return null;
  const { whole } = known.data;
  const [tone, text] =
    whole === null ? ["plain", "Verifying"] : whole ? ["good", "History intact"] : ["bad", "History broken"];
  return (
    <a class={`record ${tone}`} href={href({ view: "audit" })}>
      <Icon name={whole === null ? "dot" : whole ? "check" : "cross"} />
      <span class="word">{text}</span>
    </a>
  );
}
