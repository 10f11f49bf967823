/** Generates valid or almost valid CSL and replacer texts from the lines that their parsers' decisions depend on. */
import fc from "fast-check";

const csl = [
  '<---WRITE file="a"--->', '<---WRITE file="a" append="true"--->', "<---WRITE--->", '<---RUN dir="d"--->', '<---SEARCH file="a" count="2"--->', "<---TO--->", "<---REPLACE--->",
  "<---END--->", "<---END---> ", '<---END a="b"--->', "<---TASKS--->", "<---TASKS", "<---", "<--- RUN--->", "<---ENDING--->", " <---END--->", "<---write--->", '<---WRITE file="a" file="b"--->', "<---WRITE file=a--->",
];
const replacer = ["<<<FILE>>>", "<<<SEARCH>>>", "<<<REPLACE>>>", "<<<OVERWRITE>>>", "<<<END>>>", "<<<END>>> ", " <<<END>>>", "<<<EXPLANATION>>>", "<<<", "<<<<<<< HEAD", "<<<END>>>x"];
const content = ["", "", " ", "text", "a/b.txt", "\t", "é😀", "\uFEFF"];
const newline = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r");

const text = (usual: readonly string[], markers: readonly string[]): fc.Arbitrary<string> => {
  const line = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...markers) }, { weight: 3, arbitrary: fc.constantFrom(...usual) }, { weight: 3, arbitrary: fc.constantFrom(...content) });
  const lines = fc.array(fc.tuple(line, newline), { maxLength: 18 }).map((pairs) => pairs.flat().join(""));
  return fc.tuple(fc.constantFrom("", "\uFEFF"), lines, line).map((parts) => parts.join(""));
};

export const nearCsl = text(['<---WRITE file="a"--->', '<---SEARCH file="a"--->', "<---REPLACE--->", "<---END--->", "<---END--->"], csl);
export const nearReplacer = text(["<<<FILE>>>", "a.txt", "<<<SEARCH>>>", "<<<REPLACE>>>", "<<<END>>>"], replacer);
