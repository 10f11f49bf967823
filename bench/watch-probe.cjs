/** Loaded into a measured `loaf watch`: makes its timers faster, and tells its heap after garbage collection on request. */
const promises = require("node:timers/promises");

const { LOAF_BENCH_TIMERS: timers = 1, LOAF_BENCH_SLEEPS: sleeps = 1 } = process.env;
for (const name of ["setTimeout", "setInterval"]) {
  const real = globalThis[name];
  globalThis[name] = (act, delay, ...rest) => real(act, delay / Number(timers), ...rest);
}
const sleep = promises.setTimeout;
promises.setTimeout = (delay, ...rest) => sleep(delay / Number(sleeps), ...rest);

process.on("message", () => {
  for (let round = 0; round < 3; round++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send(heapUsed + external);
});
// It must end as it does without the probe.
process.channel.unref();
