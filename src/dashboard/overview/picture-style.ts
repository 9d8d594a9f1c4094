const light = {
  ground: "#ffffff",
  ink: "#1d1f1e",
  quiet: "#595c5a",
  line: "#e0ded7",
  strong: "#8d8b84",
  done: "#4f8878",
  on: "#ffffff",
  go: "#2457c5",
  soft: "#e4edff",
  wait: "#e8940f",
  hatch: "#fde9c8",
  bad: "#a51d1d",
  badly: "#fbe3e1",
  fold: "#f3f2ee",
};

const dark: typeof light = {
  ground: "#1c1f25",
  ink: "#e7e8ea",
  quiet: "#a4a9b2",
  line: "#31353d",
  strong: "#6b7280",
  done: "#3f806d",
  on: "#ffffff",
  go: "#7aa5f5",
  soft: "#1c2a47",
  wait: "#f0a12e",
  hatch: "#46310f",
  bad: "#ff9d94",
  badly: "#431f1d",
  fold: "#262a31",
};

function named(colours: typeof light): string {
  return Object.entries(colours)
    .map(([name, value]) => `--${name}:${value}`)
    .join(";");
}

/** The styles of a picture, light and dark. */
export const pictureStyle = `
svg{${named(light)};font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
@media(prefers-color-scheme:dark){svg{${named(dark)}}}
text{fill:var(--ink)}
.title{font-size:20px;font-weight:650}
.quiet{fill:var(--quiet)}
.small{font-size:11px}
.name{font-size:12px}
.ground{fill:var(--ground);stroke:var(--line)}
.cell{fill:none;stroke:var(--line);stroke-width:1.5}
.cell.done{fill:var(--done);stroke:var(--done)}
.cell.skipped{stroke:var(--strong);stroke-dasharray:1.5 3}
.cell.open{fill:var(--soft);stroke:var(--go)}
.cell.next{stroke:var(--go);stroke-dasharray:4 3}
.cell.waits{fill:url(#hatch);stroke:var(--wait)}
.cell.stuck{fill:var(--badly);stroke:var(--bad)}
.after{fill:var(--wait)}
.check{fill:none;stroke:var(--on);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.cross,.refused{fill:none;stroke:var(--bad);stroke-width:2.4;stroke-linecap:round}
.dot,.open:not(.cell){fill:var(--go)}
.hatch{fill:var(--hatch)}
.stripe{fill:var(--wait)}
.work{fill:var(--done)}
.waits:not(.cell){fill:url(#hatch);stroke:var(--wait)}
.declined{fill:var(--bad)}
.relayed,.elicited,.proven{fill:var(--ground);stroke:var(--ink);stroke-width:2}
.relayed{stroke-dasharray:2 2}
.proven{fill:var(--ink)}
.differs{fill:var(--bad)}
.verified{fill:var(--done)}
.claimed{fill:var(--wait)}
.fold{fill:var(--fold)}
.tick{stroke:var(--line)}
`;
