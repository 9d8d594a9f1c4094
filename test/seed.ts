import fc from "fast-check";
import { wholeOr } from "./whole.ts";

// What `npm test` finds it finds again; `npm run test:all` looks at other cases every time, and at more of them.
fc.configureGlobal(wholeOr({}, { seed: 20_261_116, numRuns: 40 }));
