/** Milliseconds of the processor: whoever else uses the machine does not count. */
function workOf(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
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

/**
 * Returns by how much this machine is slower than the one on which the limits of timed tests were set, at least 1: such a test fails for the code, not for
 * the machine. Takes the least of five rounds of fixed work with strings and maps.
 */
export function slowness(): number {
  const rounds = Array.from({ length: 5 }, () =>
    workOf(() => {
      const counts = new Map<string, number>();
      for (let index = 0; index < 200_000; index++) counts.set(`name${index % 50_021}`, (counts.get(`name${index % 7_919}`) ?? 0) + 1);
      [...counts.keys()].sort();
    }),
  );
  return Math.max(1, Math.min(...rounds) / USUAL_WORK);
}

/** Milliseconds that a round of `slowness` takes on the machine where the limits were set. */
const USUAL_WORK = 60;
