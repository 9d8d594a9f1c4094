import { render } from "preact";
import { takeTokenFromAddress } from "./api-client.ts";
import { App } from "./app.tsx";
import { startClock } from "./shared/clock.tsx";
import { applyTheme } from "./shared/theme.ts";

const place = document.getElementById("page");
if (place !== null) {
  applyTheme();
  startClock();
  takeTokenFromAddress();
  // Pasting a full address into this tab only changes the hash, but a new token needs a fresh page.
  addEventListener("hashchange", () => {
    if (takeTokenFromAddress()) location.reload();
  });
  render(<App />, place);
}
