/** Compares Loaf's parser with npm's on almost valid texts. They differ only as `amended-reference.ts` describes. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseNesl } from "../../support/parse-nesl.ts";
import { parseByAmendedReference } from "./amended-reference.ts";
import { nearNesl, runs } from "./near-nesl.ts";

test("yields the same blocks and errors as the reference", () => {
  fc.assert(
    fc.property(nearNesl, (text) => {
      fc.pre(!endsAfterATerminator(text));
      expect(JSON.stringify(parseNesl(text))).toBe(JSON.stringify(parseByAmendedReference(text)));
    }),
    runs,
  );
});

/** Returns whether a line contains its terminator twice. The reference checks only the first, Loaf the line's end. */
function endsAfterATerminator(text: string): boolean {
  return text.split(/\r?\n/).some((line) => /(EOT_[A-Za-z0-9]{2,8}).*\1'?$/s.test(line));
}
