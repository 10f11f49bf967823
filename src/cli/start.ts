/** What `loaf` starts: hands the bundle, `main.cjs` beside it, to the code cache. */
import { join } from "node:path";
import { runCached } from "../host/code-cache.ts";
import { stateFolder } from "../host/places.ts";

/** The bundle's hash, put in by the build. */
declare const BUNDLE_HASH: string;

const command = process.argv[2] ?? "";
runCached(
  { file: join(__dirname, "main.cjs"), hash: BUNDLE_HASH, use: /^[a-z]{1,20}$/.test(command) ? command : "help", folder: join(stateFolder(), "code") },
  require,
);
