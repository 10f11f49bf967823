/**
 * Addresses on ten real files of each language: the outline has what an independent reader finds, and every part in it can be read
 * back by its address and replaced by itself.
 */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { type Addressed, addresses } from "../../src/paths/address.ts";
import { loadStructure, partsOf } from "../../src/addresses/structure.ts";
import { ascendingLines, countLines } from "../../src/edit/lines.ts";
import { AddressedFiles } from "../../src/files/addressed-files.ts";
import { Disk } from "../../src/disk/disk.ts";
import { createGuard } from "../../src/guard/guard.ts";
import { Overlay } from "../../src/disk/overlay.ts";
import { type Declared, declaredIn, hasCtags } from "./independent.ts";
import { samples } from "./samples.ts";
import { isComplete } from "../support/complete.ts";

const isReady = hasCtags() && samples.every(({ files }) => files.length === 10);
if (!isReady && isComplete) throw new Error("universal-ctags, python3 or the sources that scripts/install.mjs fetches are missing: in CI the tests that need them do not skip");

describe.skipIf(!isReady)("addresses in real files (skipped where universal-ctags or the sources are missing; scripts/install.mjs gets them on Debian)", () => {
  describe.each(samples)("$language", ({ language, files }) => {
    test("the outline has 98 % of what an independent reader finds", async () => {
      const missed: string[] = [];
      let total = 0;
      for (const file of files) {
        const parts = locate(await outlineOf(file), readFileSync(file, "utf8"));
        for (const declared of declaredIn(language, file)) {
          total += 1;
          if (!parts.some((part) => isSame(part, declared))) missed.push(`${file}:${declared.line} ${declared.name}`);
        }
      }
      expect(total).toBeGreaterThan(20);
      expect(missed.length / total, missed.join("\n")).toBeLessThanOrEqual(0.02);
    }, 120_000);

    test("each part is read by its address, and replaced by itself nothing changes", async () => {
      let readOnly = 0;
      let total = 0;
      for (const file of files) {
        const workspace = openOverlay(file);
        const before = workspace.read(file);
        for (const { address, part } of await outlineOf(file)) {
          const path = file + address;
          const own = before.slice(part.start, part.end);
          total += 1;
          expect(workspace.read(path), path).toBe(own);
          if (part.isUncertain) readOnly += 1;
          else workspace.edit(path, (bytes) => ({ splices: [{ start: 0, end: bytes.length, text: bytes.toString() }] }));
        }
        expect(workspace.read(file) === before, file).toBe(true);
      }
      expect(readOnly / total).toBeLessThanOrEqual(0.02);
    }, 300_000);
  });
});

async function outlineOf(file: string): Promise<Addressed[]> {
  await loadStructure(file);
  return [...addresses(partsOf(file, readFileSync(file, "utf8").replace(/^\ufeff/, "")))];
}

interface Located {
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

function locate(outline: readonly Addressed[], text: string): Located[] {
  const lineOf = ascendingLines(text);
  return outline.map(({ part: { name, start, end } }) => {
    const first = lineOf(start);
    return { name, first, last: first + countLines(text.slice(start, end)) - 1 };
  });
}

/** Readers differ in how much of a qualified name they tell. */
function isSame({ name, first, last }: Located, declared: Declared): boolean {
  const [own, wanted] = [name, declared.name].map((one) => one.replaceAll(/\s+/g, ""));
  const isNamed = [own, own?.replace(/^#+/, ""), own?.split(/::|\./).at(-1), own?.replace(/<.*/s, ""), ...(own?.split(",") ?? [])].includes(wanted ?? "");
  const isOperator = own?.endsWith(`operator${wanted}`) === true;
  const isImplementation = own?.startsWith(`impl${wanted?.replace(/<.*/s, "")}`) === true;
  return (isNamed || isOperator || isImplementation) && (declared.line === 0 || (first <= declared.line && declared.line <= last));
}

/** The disk is only read. The file is permitted by its name, as one is that describes a workflow. */
function openOverlay(file: string): AddressedFiles {
  const volume = new Overlay(new Disk());
  const guard = createGuard({ volume, root: dirname(file), home: "/nowhere", rules: [{ read: {}, write: { allow: [file] } }], sealed: [], readOnly: [], platform: "linux" });
  return new AddressedFiles({ volume, guard, maxFileSize: 1 << 24, finalNewline: "as-is" });
}
