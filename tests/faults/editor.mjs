/**
 * An editor in a process of its own: saves a file in various ways, as `saves` of its message say, and answers when it is done. Each save is
 * `{text, way, pause}`: the whole text, how it is written, and milliseconds to wait first and, where a way has two steps, between them.
 */
import { closeSync, openSync, renameSync, unlinkSync, writeFileSync, writeSync } from "node:fs";

const wait = (milliseconds) => milliseconds > 0 && Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

const ways = {
  inPlace: (file, text) => writeFileSync(file, text),
  byRename(file, text) {
    writeFileSync(`${file}.tmp`, text);
    renameSync(`${file}.tmp`, file);
  },
  /** As vim does with a backup: the old file gets another name, and a new one is written. */
  withBackup(file, text) {
    try {
      renameSync(file, `${file}~`);
    } catch (thrown) {
      if (thrown.code !== "ENOENT") throw thrown;
    }
    writeFileSync(file, text);
  },
  deletedFirst(file, text, pause) {
    try {
      unlinkSync(file);
    } catch (thrown) {
      if (thrown.code !== "ENOENT") throw thrown;
    }
    wait(pause);
    writeFileSync(file, text);
  },
  truncatedFirst(file, text, pause) {
    const descriptor = openSync(file, "w");
    wait(pause);
    writeSync(descriptor, text);
    closeSync(descriptor);
  },
  inHalves(file, text, pause) {
    const descriptor = openSync(file, "w");
    const middle = Math.floor(text.length * 0.6);
    writeSync(descriptor, text.slice(0, middle));
    wait(pause);
    writeSync(descriptor, text.slice(middle));
    closeSync(descriptor);
  },
};

process.on("message", ({ file, saves }) => {
  for (const { text, way, pause } of saves) {
    wait(pause);
    ways[way](file, text, pause);
  }
  process.send("done");
});
