/** Starts to measure, and returns what tells the milliseconds of the processor since: whoever else uses the machine does not count. */
export function measureWork(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** Milliseconds of the processor. */
export function workOf(act: () => void): number {
  const work = measureWork();
  act();
  return work();
}

/**
 * Returns how many times as much work an item is in a run of `most` items as in one of a sixteenth: about 1 where time grows with their number, 16 where it grows
 * with its square. Of three rounds the least.
 */
export function growthOfItem(most: number, run: (count: number) => void): number {
  run(most);
  const ratios = Array.from({ length: 3 }, () => {
    const large = workOf(() => run(most));
    const small = workOf(() => {
      for (let round = 0; round < 16; round++) run(most / 16);
    });
    return large / small;
  });
  return Math.min(...ratios);
}
