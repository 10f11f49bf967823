/** Laws try the same cases in each run, for the reason that `tries.ts` gives; in the long form they try others. */
import fc from "fast-check";
import { isLong } from "./tries.ts";

if (!isLong) fc.configureGlobal({ seed: 20_261_122 });
