/** Loaf's parser against npm's, on texts that are nearly right: they differ only where `amended-reference.ts` says so. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "../../../src/syntaxes/nesl/read.ts";
import { parseByAmendedReference } from "./amended-reference.ts";
import { nearNesl, runs } from "./near-nesl.ts";

test("the same blocks and errors as the reference", () => {
  fc.assert(
    fc.property(nearNesl, (text) => {
      fc.pre(!endsAfterATerminator(text));
      expect(JSON.stringify(parse(text))).toBe(JSON.stringify(parseByAmendedReference(text)));
    }),
    runs,
  );
});

/** A line that holds its terminator twice: the reference looks at the first place only, the behaviour at the line's end. */
function endsAfterATerminator(text: string): boolean {
  return text.split(/\r?\n/).some((line) => /(EOT_[A-Za-z0-9]{2,8}).*\1'?$/s.test(line));
}
