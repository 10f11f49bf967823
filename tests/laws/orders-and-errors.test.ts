/** Law of orders: what they are for, or the errors that the new code raises, says nothing of the code below them: it lands. */
import { expect, test } from "vitest";
import { loadStructure } from "../../src/addresses/structure.ts";
import { answered } from "./answered.ts";

const CODE: ReadonlyArray<readonly [path: string, old: string, now: string, rest: string]> = [
  ["src/a.py", "def load(path):\n    return read(path)\n", "def load(path):\n    return read(path, \"utf-8\")\n", "\n\ndef other():\n    return 1\n"],
  ["src/a.ts", "export function load(path: string) {\n  return read(path);\n}\n", "export function load(path: string) {\n  return read(path, \"utf-8\");\n}\n", "\nexport function other() {\n  return 1;\n}\n"],
  ["src/a.go", "func load(path string) int {\n\treturn read(path)\n}\n", "func load(path string) int {\n\treturn read(path, 1)\n}\n", "\nfunc other() int {\n\treturn 1\n}\n"],
];

test.each(CODE)("in %s", async (path, old, now, rest) => {
  await loadStructure(path);
  for (const sentence of ORDERS)
    expect(await answered(path, old + rest, `${sentence.replace("PATH", path)}\n\n\`\`\`\n${now}\`\`\`\n`), sentence).toBe(now + rest);
});

const ORDERS: readonly string[] = [
  "Update `load` in `PATH` to throw an error for empty input:", "Change `load` in `PATH` to show a warning when the file is missing:", "Modify `load` in `PATH` so that a wrong password is rejected:",
  "In `PATH`, raise an error when the id is unknown:", "Add a check to `load` in `PATH` that throws an error if `load` is null:", "Make `load` in `PATH` show an error message if the name is empty:",
  "Wrap the call in `load` (`PATH`) to catch the exception and show a message:", "Here is the updated `load` in `PATH`, which now raises an error:", "`load` in `PATH` should raise an error if the file is missing:",
  "Update `load` in `PATH` so that it rejects bad items:", "Change `load` in `PATH` to raise a proper error, and add an import for `status`:", "Update `load` in `PATH` to show a loading message:",
  "Modify `load` in `PATH` to give a clear error message:", "Update the `load` function in `PATH` so users see an error message:", "Here's a version of `load` in `PATH` that raises an error on zero:",
  "To fix the wrong total, update `load` in `PATH`:", "Replace the wrong condition in `load` (`PATH`):", "Fix the mistake in `load` in `PATH`:", "Correct the mistake in `PATH`:", "Here's what `PATH` should look like:",
  "Here's how `PATH` should look after the change:", "The following version of `PATH` fixes the problem:", "The following version of `load` in `PATH` avoids the problem:",
  "This version of `load` in `PATH` handles missing files:", "Try changing `load` in `PATH` to:", "Change `load` in `PATH` to look like this:", "Make `load` in `PATH` look like this:", "Required changes in `PATH`:",
  "The only change is in `PATH`:", "The change to `PATH` is small:", "The fix in `PATH` is simple:", "The fix is a one-line change in `PATH`:", "The easiest way to fix this is to update `load` in `PATH`:",
  "A simple fix is to check for `None` in `load` (`PATH`):", "I have refactored `load` in `PATH`:", "Let me fix `load` in `PATH`:", "Let me update `load` in `PATH` for you:", "We'll update `load` in `PATH`:",
  "This can be fixed by changing `load` in `PATH`:", "Once that's done, update `load` in `PATH`:", "Accordingly, `load` in `PATH` changes:", "`load` in `PATH` changes accordingly:", "`load` in `PATH` now checks for `None`:",
  "`load` (in `PATH`) with the fix:", "`PATH` with the fix:", "Show an error in `PATH` when the name is empty:", "Throw an error in `PATH` if the id is missing:",
  "Show the message in `PATH`:", "Give the user an error message in `PATH`:", "Throw a custom exception from `load` in `PATH`:", "Return the error in `PATH` instead of logging it:", "`PATH` will look like this:",
  "The updated `PATH` would look like this:", "That also requires a change in `PATH`:", "There's one more change in `PATH`:", "There is one thing to change in `PATH`:", "Another change is needed in `PATH`:",
  "A small change in `PATH` is needed as well:", "Do this in `PATH`:", "Do it like this in `PATH`:", "Do the following in `PATH`:", "Over in `PATH`, update `load`:", "Similarly, update `load` in `PATH`:",
  "Additionally, update `load` in `PATH`:", "To verify it, add a test to `PATH`:", "Instead of a loop, use `sum` in `load` (`PATH`):", "Speed up `load` in `PATH`:", "After the change, `load` in `PATH` looks like this:",
  "Thus, change `load` in `PATH`:",
];
