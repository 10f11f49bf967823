/** The entry point of `loaf`: runs the bundle, `main.cjs` beside it, through the code cache. */
import { join } from "node:path";
import { runCached } from "./code-cache.ts";
import { lateRequire } from "./late-require.ts";
import { leaveSmallHeap } from "./leave-small-heap.ts";
import { stateFolder } from "../../state/places.ts";

/** Hash of the bundle, inserted by the build. */
declare const BUNDLE_HASH: string;

const command = process.argv[2] ?? "";
if (command === "watch") leaveSmallHeap(require("node:v8") as typeof import("node:v8"));
runCached(
  { file: join(__dirname, "main.cjs"), hash: BUNDLE_HASH, use: /^[a-z]{1,20}$/.test(command) ? command : "help", folder: join(stateFolder(), "code") },
  lateRequire(require, ["node:child_process", "node:module", "node:readline", "node:tty"]),
);

// Everything is written. Exiting here skips the teardown of the heap, which takes a tenth of a short command's time.
process.once("beforeExit", () => process.exit());
