/** The entry point of `loaf`: runs the bundle, `main.cjs` beside it, through the code cache. */
import { join } from "node:path";
import { runCached } from "./code-cache.ts";
import { stateFolder } from "../../state/places.ts";

/** Hash of the bundle, inserted by the build. */
declare const BUNDLE_HASH: string;

const command = process.argv[2] ?? "";
const use = /^[a-z]{1,20}$/.test(command) ? command : "help";
runCached({ file: join(__dirname, "main.cjs"), hash: BUNDLE_HASH, use, folder: join(stateFolder(), "code") }, require);

// Everything is written. Exiting here skips the teardown of the heap, which takes a tenth of a short command's time.
process.once("beforeExit", () => process.exit());
