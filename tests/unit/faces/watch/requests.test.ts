import { expect, test } from "vitest";
import { Requests } from "../../../../src/faces/watch/requests.ts";

test("yields requests in order, and merges changes", async () => {
  const requests = new Requests();
  for (let count = 0; count < 3; count++) requests.changed();
  requests.add({ kind: "again" });
  requests.changed();
  const kinds: string[] = [];
  setTimeout(() => requests.add({ kind: "text", text: "late" }), 20);
  for await (const { kind } of requests) {
    kinds.push(kind);
    if (kind === "text") requests.close();
  }
  expect(kinds).toEqual(["changed", "again", "text"]);
});

test("a file that keeps changing is settled only after a pause, and is one request", async () => {
  const requests = new Requests();
  requests.changed();
  let changes = 0;
  const timer = setInterval(() => (++changes === 5 ? clearInterval(timer) : requests.changed()), 20);
  await requests.settled(60);
  expect(changes).toBe(5);
  requests.add({ kind: "again" });
  requests.close();
  expect(await requests[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
});

test("distinguishes a file at rest from a changed one", async () => {
  const requests = new Requests();
  expect(await requests.rested(10)).toBe(true);
  setTimeout(() => requests.changed(), 5);
  expect(await requests.rested(5_000)).toBe(false);
  setTimeout(() => requests.add({ kind: "again" }), 5);
  expect(await requests.rested(40)).toBe(true);
});

test("closing ends a wait", async () => {
  const requests = new Requests();
  setTimeout(() => requests.close(), 5);
  await requests.settled(1_000_000);
  expect(requests.isClosed).toBe(true);
});
