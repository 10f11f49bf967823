/** Measuring. What is compared runs in turns, so that a busy machine slows all of it alike; a first turn does not count. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

/**
 * @param subjects name to a function, which may be async
 * @returns name to its median in milliseconds
 */
export async function medians(subjects, rounds) {
  return mediansOf(mapValues(subjects, (subject) => () => timeOf(subject)), rounds);
}

/** Like `medians`, for functions that measure a time themselves and return it. */
export async function mediansOf(subjects, rounds) {
  const times = mapValues(subjects, () => []);
  for (const subject of Object.values(subjects)) await subject();
  for (let round = 0; round < rounds; round++) {
    for (const [name, subject] of Object.entries(subjects)) times[name].push(await subject());
  }
  return mapValues(times, (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]);
}

/** The least of a function's durations, in milliseconds: how a time grows is told by the rounds that nothing disturbed, least of all old garbage. */
export async function fastest(subject, rounds) {
  await subject();
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    collectGarbage();
    least = Math.min(least, await timeOf(subject));
  }
  return least;
}

/**
 * How much work something is for sizes that double each time, up to a largest one: milliseconds of the processor, so that whoever else uses the machine
 * does not count. The sizes take turns, and a smaller one is done as often as makes the same amount, so that garbage and caches weigh alike.
 *
 * @param subjectFor a size to a function, which is not async
 */
export function workOfDoubling(subjectFor, { largest, rounds }) {
  const parts = [4, 2, 1].map((times) => ({ times, subject: subjectFor(largest / times), least: Infinity }));
  for (const { subject } of parts) subject();
  for (let round = 0; round < rounds; round++) {
    for (const part of parts) part.least = Math.min(part.least, workOf(part) / part.times);
  }
  return parts.map(({ least }) => least);
}

function workOf({ subject, times }) {
  collectGarbage();
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) subject();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function timeOf(subject) {
  const start = performance.now();
  await subject();
  return performance.now() - start;
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** A row of the table: how many times as fast as a peer. Without a goal it only informs. */
export function faster(what, { loaf, peer }, goal = 0) {
  return { what, measured: `${milliseconds(loaf)} against ${milliseconds(peer)}`, value: times(peer / loaf), goal: goal === 0 ? "" : `≥ ${goal} ×`, met: peer / loaf >= goal };
}

/** A row: how many of all are right. Without a goal, a part of 1, it only informs. */
export function share(what, right, all, goal) {
  return { what, measured: `${right} of ${all}`, value: `${Math.floor((right / all) * 1_000) / 10} %`, goal: goal === undefined ? "" : `${goal * 100} %`, met: right / all >= (goal ?? 0) };
}

/** A row: how many times a peer's duration, where the peer is a part of it. Without a limit it only informs. */
export function longer(what, { loaf, peer }, limit = Infinity) {
  return { what, measured: `${milliseconds(loaf)} against ${milliseconds(peer)}`, value: times(loaf / peer), goal: limit === Infinity ? "" : `≤ ${limit} ×`, met: loaf / peer <= limit };
}

/** A row: a duration against its limit. */
export function within(what, duration, limit) {
  return { what, measured: "", value: milliseconds(duration), goal: `< ${limit} ms`, met: duration < limit };
}

/** A row: any amount against its limit. */
export function atMost(what, amount, limit, unit) {
  return { what, measured: "", value: `${amount.toFixed(1)} ${unit}`, goal: `≤ ${limit} ${unit}`, met: amount <= limit };
}

/** A row: an amount of memory, in bytes, against its limit in MB. */
export function megabytes(what, bytes, limit) {
  const amount = Math.max(0, bytes) / 2 ** 20;
  return { what, measured: "", value: `${amount.toFixed(1)} MB`, goal: `< ${limit} MB`, met: amount < limit };
}

/** A row: the durations for sizes that double each time. Linear is 1: twice the size takes twice as long. */
export function growth(what, durations, limit) {
  const factor = durations.at(-1) / durations[0] / 2 ** (durations.length - 1);
  return { what, measured: durations.map(milliseconds).join(" → "), value: times(factor), goal: `≤ ${limit} ×`, met: factor <= limit };
}

function milliseconds(duration) {
  return `${duration < 10 ? duration.toFixed(2) : Math.round(duration)} ms`;
}

function times(ratio) {
  return `${ratio < 10 ? ratio.toFixed(2) : Math.round(ratio)} ×`;
}
