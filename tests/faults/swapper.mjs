/**
 * The other program of the races: `node swapper.mjs directory|leaf <inside> <outside> <pause>` keeps putting a link to `outside` in the
 * place of the directory or file `inside`, and back, as fast as it can, but for pauses of at most so many milliseconds. On SIGTERM it
 * puts everything back and prints how often it did so.
 */
import { linkSync, lstatSync, renameSync, rmSync, symlinkSync, writeSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const [kind, inside, outside, pause] = process.argv.slice(2);
const [aside, link, file] = ["aside", "link", "file"].map((name) => `${inside}.${name}`);

const kinds = {
  directory: {
    prepare: () => symlinkSync(outside, link),
    swap() {
      renameSync(inside, aside);
      renameSync(link, inside);
      linger();
      renameSync(inside, link);
      renameSync(aside, inside);
      linger();
    },
    /** Whom it attacks may have made a directory where for a moment none was. */
    restore() {
      if (lstatSync(inside, { throwIfNoEntry: false })?.isSymbolicLink()) renameSync(inside, link);
      if (lstatSync(aside, { throwIfNoEntry: false }) === undefined) return;
      rmSync(inside, { recursive: true, force: true });
      renameSync(aside, inside);
    },
  },
  leaf: {
    prepare: () => linkSync(inside, file),
    swap() {
      symlinkSync(outside, link);
      renameSync(link, inside);
      linger();
      linkSync(file, link);
      renameSync(link, inside);
      linger();
    },
    restore: () => rmSync(link, { force: true }),
  },
};

/** At random, so that it does not fall into step with the one that is attacked. */
function linger() {
  for (let left = Math.random() * 3000; left > 0; left--);
}

/** Whom it attacks may be at work there. */
function tryToRestore() {
  try {
    restore();
    return true;
  } catch {
    return false;
  }
}

function say(what) {
  writeSync(1, `${what}\n`);
}

const { prepare, swap, restore } = kinds[kind];
let swaps = 0;
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());
prepare();
say("ready");
const parent = process.ppid;
while (!stop.signal.aborted && process.ppid === parent) {
  for (let round = 0; round < 30; round++) {
    try {
      swap();
      swaps++;
    } catch {
      tryToRestore();
    }
  }
  await (pause === "0" ? new Promise((resolve) => setImmediate(resolve)) : setTimeout(Math.random() * pause));
}
while (!tryToRestore());
rmSync(kind === "leaf" ? file : link);
say(swaps);
