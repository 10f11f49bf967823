/** What kind of placeholder the words of a line make, in each language. */
import { expect, test } from "vitest";
import { kindOf } from "../../../src/edit/placeholder-kind.ts";

test.each([
  "// existing code here",
  "// bestehender Code hier",
  "// code existant ici",
  "// código existente aquí",
  "// código existente aqui",
  "// codice esistente qui",
  "// bestaande code hier",
  "// istniejący kod tutaj",
  "// существующий код здесь",
  "// 现有代码这里",
  "// 既存のコードここ",
  "// 기존 코드 여기",
])("%s says where existing code is", (line) => {
  expect([kindOf(line), kindOf(line.slice(3))]).toEqual(["faint", undefined]);
});

/** Words and phrases that say in a language that something stays, or is left out. */
const CLAIMS = [
  ["remains the same", "stay the same", "as is", "as they were", "no changes", "omitted"],
  ["wie gehabt", "keine Änderung", "keine Änderungen", "unverändert"],
  ["sans changement", "sans modifications", "ne change pas", "tel quel", "telle quelle", "aucun changement", "inchangé"],
  ["sin cambios", "sin modificar", "no cambia", "tal cual", "igual que antes", "omitido"],
  ["sem alterações", "sem mudança", "não muda", "inalterado"],
  ["senza modifiche", "non cambia", "invariato"],
  ["ongewijzigd"],
  ["bez zmian", "nie zmienia się", "taki sam", "tak samo", "pominięto"],
  ["без изменений", "не меняется", "то же", "такой же", "опущено"],
  ["保持不变", "原样"],
  ["変更なし", "そのまま"],
  ["변경없음", "그대로"],
].flat();

test.each(CLAIMS)("%s is a placeholder in the place of lines, and behind an ellipsis", (words) => {
  expect([kindOf(`// ${words}`), kindOf(`// ... ${words}`), kindOf(words)]).toEqual(["placed", expect.stringMatching(/^(?:plain|likely)$/), undefined]);
});

test.each([
  ["// ...", "faint"],
  ["// rest unchanged", "likely"],
  ["// everything unchanged", "likely"],
  ["// other unchanged", "likely"],
  ["// code unchanged", "likely"],
  ["// fields unchanged", "faint"],
  ["// fields remain the same", "faint"],
  ["// rest stays as is", "likely"],
  ["// everything stays", "likely"],
  ["// code stays", undefined],
  ["// rest of the code", "likely"],
  ["// existing fields ...", "faint"],
  ["// other fields ...", "faint"],
  ["// ... rest stays", "plain"],
  ["// ... everything stays", "plain"],
  ["// ... rest of the fields", "plain"],
  ["// ... existing code", "plain"],
  ["// ... other fields", "likely"],
  ["// ... Code ab hier unverändert", "plain"],
  ["// 나머지 코드", "likely"],
  ["// 나머지", "placed"],
  ["{{ rest of code }}", "likely"],
  ["// ... and so on", "placed"],
  ["// and so on", undefined],
  ["// the rest", "placed"],
  ["// the rest here", "placed"],
  ["// the rest below", undefined],
  ["// keep the code here", "placed"],
  ["// previous code here", "placed"],
  ["// previous code", undefined],
  ["// todo omitted", undefined],
  ["// todo as before", undefined],
  ["// No changes below this line", "placed"],
  ["// Rest ab hier", undefined],
  ["// 12 more lines omitted", "likely"],
  ["{{ rest unchanged }}", undefined],
  ["[rest of code]", "likely"],
  ["[rest code]", undefined],
  ["... rest of code ...", "plain"],
  ["rest of code ...", undefined],
  ["// rest of fields ...", "faint"],
  ["// rest of fields", "edge"],
  ["// ... existing one two three four", "likely"],
  ["// ... existing one two three four five", undefined],
  ["// ... the rest of one two three four", "likely"],
  ["// existing middleware", undefined],
  [`// ${"the ".repeat(13)}rest`, undefined],
  [`// ${"the ".repeat(13)}omitted`, "placed"],
  [`// ${"the ".repeat(14)}omitted`, undefined],
])("%s: %s", (line, kind) => {
  expect(kindOf(line)).toBe(kind);
});
