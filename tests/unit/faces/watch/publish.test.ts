import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type PlacedReport, putAbove, putLate } from "../../../../src/state/input-file.ts";
import { placeResults } from "../../../../src/faces/watch/publish.ts";
import { createFolder } from "../../../support/folder.ts";

test("an insertion made while results wait does not count as the user's text", async () => {
  const input = join(createFolder({ a: "ran" }), "a");
  const first = putAbove(input, "R1");
  let last: PlacedReport = first;
  const rested = async (): Promise<boolean> => {
    if (last === first) last = putLate(input, { content: Buffer.from("late"), at: 0n, generation: first.generation }, first) as PlacedReport;
    return true;
  };
  const placed = await placeResults({ input, text: "ran", summary: "R2", limit: 100, rested, last: () => last });
  for (const { old } of [first, last, placed]) for (const held of old) held.close();
  expect(readFileSync(input, "utf8")).toBe("R2\nlate");
  expect([placed.report, placed.saved]).toEqual(["R2", last.saved]);
});

test("waits another moment for an editor to fill an emptied file before inserting results", async () => {
  const input = join(createFolder({ a: "" }), "a");
  let looks = 0;
  const rested = async (): Promise<boolean> => {
    looks += 1;
    if (looks === 2) writeFileSync(input, "filled");
    return looks !== 2;
  };
  const placed = await placeResults({ input, text: "ran", summary: "R", limit: 100, rested, last: () => undefined });
  for (const held of placed.old) held.close();
  expect([readFileSync(input, "utf8"), placed.below]).toEqual(["R\nfilled", "filled"]);
});
