import { render } from "preact";
import { App } from "./app.tsx";
import { takeToken } from "./server.ts";

const place = document.getElementById("page");
if (place !== null) {
  takeToken();
  render(<App />, place);
}
