import type { VNode } from "preact";
import type { BoardHome } from "../../http/board/board-data.ts";
import { runs, stream } from "../live/known.ts";
import { Mark } from "../shared/frame.tsx";
import { Icon, type IconName } from "../shared/icon.tsx";
import { OutsideLine, visibleText } from "../shared/outside-text.tsx";
import { type Theme, theme, turnTheme } from "../shared/theme.ts";
import { isHelping } from "./help.tsx";
import { href, type Place, place } from "./place.ts";

const views = [
  { view: "runs", name: "Runs" },
  { view: "inbox", name: "Inbox" },
  { view: "audit", name: "Audit" },
  { view: "process", name: "Process" },
] as const;

/** The line at the top of the board: where one is, what waits, whether what is shown is true now, whether the record is whole. */
export function BoardHeader({ home, waiting }: { readonly home: BoardHome; readonly waiting: number }): VNode {
  return (
    <header class="top board-top">
      <button type="button" class="skip" onClick={() => document.getElementById("content")?.focus()}>
        To the content
      </button>
      <a class="home" href={href({ view: "runs" })} aria-label="Waymark, all runs">
        <Mark />
        <strong>Waymark</strong>
      </a>
      <Project home={home} />
      <nav aria-label="Views">
        {views.map(({ view, name }) => (
          <a key={view} href={href({ view })} aria-current={isAt(place.value, view) ? "page" : undefined}>
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
        <button type="button" class="bare" onClick={turnTheme} title={themeWords[theme.value].title}>
          <Icon name={themeWords[theme.value].icon} />
          <span class="aloud">{themeWords[theme.value].title}</span>
        </button>
        <button type="button" class="bare keys" onClick={() => (isHelping.value = true)} title="Keys">
          ?<span class="aloud"> Keys</span>
        </button>
      </div>
    </header>
  );
}

const themeWords: Readonly<Record<Theme, { readonly title: string; readonly icon: IconName }>> = {
  auto: { title: "Colours as the system has them", icon: "half" },
  light: { title: "Light colours", icon: "sun" },
  dark: { title: "Dark colours", icon: "moon" },
};

function isAt({ view }: Place, of: (typeof views)[number]["view"]): boolean {
  return view === of || (view === "run" && of === "runs");
}

function Project({ home: { project, projects } }: { readonly home: BoardHome }): VNode {
  if (projects.length < 2)
    return (
      <span class="project">
        <OutsideLine text={project} most={40} />
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
  const state = stream.value;
  const said = { asking: "connecting", live: "live", behind: "behind", refused: "shut out" }[state.kind];
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
    whole === null ? ["plain", "Looking"] : whole ? ["good", "Record whole"] : ["bad", "Record broken"];
  return (
    <a class={`record ${tone}`} href={href({ view: "audit" })}>
      <Icon name={whole === null ? "dot" : whole ? "check" : "cross"} />
      <span class="word">{text}</span>
    </a>
  );
}
