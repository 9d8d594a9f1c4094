import { join } from "node:path";
import { build } from "vite";
import { home } from "./set-up.mjs";

/** Builds the page in the browser into `dist/page/`: plain files, nothing inline, nothing from elsewhere. */
export function buildPage() {
  return build({
    configFile: false,
    root: join(home, "src/dashboard/page"),
    logLevel: "warn",
    // It knows named breakpoints.
    css: { transformer: "lightningcss", lightningcss: { drafts: { customMedia: true } } },
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir: join(home, "dist/page"),
      emptyOutDir: true,
      target: ["chrome123", "edge123", "firefox121", "safari17.5"],
      // Inline texts would need an exception from the page's own policy.
      assetsInlineLimit: 0,
      modulePreload: false,
      license: { fileName: "licenses.md" },
    },
  });
}
