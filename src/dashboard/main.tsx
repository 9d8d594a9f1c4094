import { render } from "preact";
import { App } from "./app.tsx";
import { takeToken } from "./server.ts";
import { startClock } from "./shared/moment.tsx";
import { keepTheme } from "./shared/theme.ts";

const place = document.getElementById("page");
if (place !== null) {
  keepTheme();
  startClock();
  takeToken();
  render(<App />, place);
}
