/** The folder of the shared data that LOAF_SHARED names. Without it the tests that need it say that they are skipped; in `.ci/run` that is a failure. */
import { isComplete } from "./complete.ts";

export const shared = process.env["LOAF_SHARED"];

if (shared === undefined && isComplete) throw new Error("LOAF_SHARED is not set: in .ci/run the tests that need it do not skip");
