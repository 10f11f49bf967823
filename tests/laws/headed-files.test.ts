/** Law of code below the path of its file, with a sentence between them: it is the new text, unless that calls it something else. */
import { describe, expect, test } from "vitest";
import { loadStructure } from "../../src/addresses/structure.ts";
import { answeredIn } from "./answered.ts";

const PATH = "src/a.py";
const [OLD, NOW, REST] = ["def load(path):\n    return read(path)\n", "def load(path):\n    return read(path, 'utf-8')\n", "\n\ndef other():\n    return 1\n"];
const HEADS = ["### src/a.py", "**`src/a.py`**", "File: `src/a.py`"];
const OTHERS = { "src/b.py": "x = 1\n" };

async function below(head: string, sentence: string, code = NOW): Promise<string | undefined> {
  await loadStructure(PATH);
  const files = await answeredIn({ ...OTHERS, [PATH]: OLD + REST }, `${head}\n\n${sentence}\n\n\`\`\`python\n${code}\`\`\`\n`);
  expect(files["src/b.py"]).toBe(OTHERS["src/b.py"]);
  return files[PATH];
}

describe.each(HEADS)("%s", (head) => {
  test("is followed by the new text", async () => {
    for (const sentence of NEW) expect(await below(head, sentence), sentence).toBe(NOW + REST);
  });

  test("is followed by something else", async () => {
    for (const sentence of ELSE) expect(await below(head, sentence), sentence).toBe(OLD + REST);
  });
});

test.each(["Old:", "Before:", "Original:", "The problem:", "Current code:", "The old version:"])("after %s, the new text lands", async (label) => {
  for (const next of ["New:", "After:", "Fixed:", "The fix:"])
    for (const old of [OLD, OLD.replace("read(path)", "read(path)  # ...")])
      expect(await below("### src/a.py", `${label}\n\n\`\`\`python\n${old}\`\`\`\n\n${next}`), `${next} ${old}`).toBe(NOW + REST);
});

const NEW: readonly string[] = [
  "Update the function:", "Handle the missing file:", "Add error handling:", "Add a check for the missing file:", "The function now checks the path:", "Change the default:", "I've replaced the loop.", "This raises an error now.",
  "We check the input first.", "Now the function handles errors.", "Here we only need to pass the encoding:", "Pass the encoding:", "Use the encoding here:", "Just one line changes:", "Only one line changes here:",
  "One small change:", "Changes:", "**Changes:**", "Changed:", "Updated:", "Updated function:", "Fix:", "The fix:", "Solution:", "New code:", "After:", "Replace `load` with:", "Replace the function with:",
  "Replace the existing function with this:", "Replace the entire function:", "Find the `load` function and replace it:", "Find `load` and change it as follows:", "Update `load` to raise an error if the path is empty:",
  "Make `load` raise an error:", "`load` should raise an error:", "Change `load`:", "`load`:", "The `load` function:", "In `load`:", "In `load`, pass the encoding:", "In the `load` function, pass the encoding:", "Inside `load`:",
  "Here's the updated function:", "Here's the new `load`:", "Here is the code:", "Here's the change:", "Here's what changes:", "Here's the relevant part:", "Here is the relevant part with the change:",
  "The relevant part becomes:", "The function becomes:", "It should be:", "It should look like this:", "It becomes:", "So that errors are raised:", "This is the main change:", "This is where the main change happens:",
  "This is the only function that changes:", "The only function that changes is `load`:", "The rest of the file stays the same.", "Everything else stays the same:", "No other changes are needed in this file.",
  "(only `load` changes)", "Only `load` changes:", "We need to pass the encoding:", "You need to pass the encoding to `read`:", "Don't forget the encoding:", "Make sure to pass the encoding:", "Remember to pass the encoding:",
  "Encoding added:", "With encoding:", "Added an argument to `read`:", "Adds the encoding to `read`.", "Reads with an encoding.", "Pass `\"utf-8\"` to `read`, since the default depends on the system:",
  "The bug is that `read` gets no encoding. Pass it:", "The problem: `read` gets no encoding.", "`read` gets no encoding, so it fails on Windows.", "The encoding was missing.", "The encoding was missing:",
  "Previously the encoding was missing:", "Previously, `read` got no encoding. Now it does:", "This file needs one change:", "This file only needs a small change:", "Modify this file:", "Modify as follows:", "Edit the function:",
  "Adjust `load`:", "Refactor `load`:", "Rewrite it like so:", "Rewrite `load` like this:", "Ändere `load`:", "Ersetze die Funktion `load`:", "Passe `load` an:", "Die Funktion `load` sieht dann so aus:",
  "Hier die geänderte Funktion:", "So sieht die Funktion danach aus:", "Remplacez la fonction `load` :", "Modifiez `load` :", "Voici la fonction corrigée :", "Cambia la función `load`:", "Aquí está la función actualizada:",
  "修改 `load` 函数:", "将 `load` 改为:", "更新后的函数:",
];
const ELSE: readonly string[] = [
  "The current function:", "Current code:", "**Current code**", "**Current:**", "Old:", "Before:", "Original:", "The old version:", "The problem is here:", "The problem:", "The bug:",
  "Currently `load` reads without an encoding:", "Right now it reads without an encoding:", "At the moment:", "You have this:", "You wrote:", "You currently have:", "Your code:", "The code in question:", "Here's what you have:",
  "Here's what it does now:", "Here's the problem:", "Here's the current code:", "This is the current code:", "This is what you have now:", "This is the problematic function:", "This function is the problem:",
  "This is where it fails:", "It fails here:", "It looks like this:", "It currently looks like this:", "The function looks like this:", "`load` looks like this at the moment:", 
  "For reference:", "For reference, the current code:", "For context:", "For comparison:", "Do not change this:", "Leave this as it is:", "This stays as it is:", "This is fine:",
  "No changes needed here:", "No change:", "Unchanged:", "(unchanged)", "Nothing to change here:", "Don't do this:", "Avoid this:", "Wrong:", "Bad:", "❌ Bad:", "❌", "Not like this:", "Instead of this:",
  "Usage:", "Example:", "Example usage:", "Usage example:", "For example:", "You can call it like this:", "Call it like this:", "Use it like this:", "How to use it:", "Output:", "The output:", "Test it:", "To test it:",
  "If you want, you can also write:", "Optional:", "Optionally:", "Alternatively:", "Or:", "You could also write:", "One could write:", "In other languages this would be:",
  "Pseudocode:", "Conceptually:", "Imagine this:", "Suppose we had this:", "What happens if we write this?", "Why does this fail?", "Should it be like this?", "Aktueller Code:",
  "Alter Code:", "Vorher:", "Bisher:", "Derzeit:", "Das Problem:", "Der Fehler ist hier:", "Beispiel:", "Verwendung:", "So nicht:", "Nicht so:", "Unverändert:", "Zum Vergleich:", "Code actuel :", "Avant :", "Le problème :",
  "Exemple :", "Código actual:", "Antes:", "El problema:", "Ejemplo:", "当前代码：", "原代码：", "修改前：", "问题：", "示例：",
];
