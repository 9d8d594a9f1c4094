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
  // Whoever pastes a whole address into a tab of this page has not left it: a new token is a new page all the same.
  addEventListener("hashchange", () => {
    if (takeToken()) location.reload();
  });
  render(<App />, place);
}
