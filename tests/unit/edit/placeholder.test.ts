import { expect, test } from "vitest";
import { Failed } from "../../../src/core/failure.ts";
import { placeholderJudge, refusePlaceholder } from "../../../src/edit/placeholder.ts";
import { measureWork } from "../../support/work.ts";

const FILE = "import one\nimport two\nimport three\nimport four\n";

/** Returns the refused line when content is written over a file, or undefined. */
function refused(content: string, before: string | null | undefined, path = "/p/app.ts"): string | undefined {
  try {
    placeholderJudge(path, content)?.(before);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof Failed) || thrown.failure.code !== "text/placeholder") throw thrown;
    return thrown.failure.line;
  }
}

const around = (line: string): string => `import one\n${line}\nexport {}\n`;

test.each([
  "# ... existing code ...",
  "// ... rest of the file unchanged ...",
  "/* ... existing styles ... */",
  "{/* ... existing JSX ... */}",
  "// ... (other methods remain unchanged)",
  "// ... keep existing imports ...",
  "-- ... unchanged ...",
  "; ... existing config ...",
  "// …existing code…",
  "    # ... (rest of the function)",
  "... (rest of the file) ...",
  "[... rest of file unchanged ...]",
  "... 120 lines omitted ...",
])("%s is unambiguous: refused in new files too", (line) => {
  for (const before of [FILE, "", null, undefined]) expect(refused(around(line), before)).toBe(line.trim());
});

test.each([
  "<!-- rest of the page remains the same -->",
  "// rest of the code remains the same",
  "# (rest of the file unchanged)",
  "// Rest of your code here",
  "// implementation omitted for brevity",
  "// ... same as before ...",
  "// Keep the rest of the code as is",
  "// existing code remains unchanged",
  "// Code above remains the same",
  "// TODO: keep the rest as is",
  "# ... 40 more lines ...",
  "// <existing code>",
  "// ... other imports",
  "-- ... rest of schema",
  "// ... existing middleware ...",
  "// [previous code here]",
])("%s is refused where something would be lost", (line) => {
  expect(refused(around(line), "import one\nimport two\n")).toBe(line);
  expect(refused(around(line), null)).toBe(line);
  expect(refused(around(line), "import one\n")).toBeUndefined();
  expect(refused(around(line), undefined)).toBeUndefined();
});

test.each(["// ...", "...", "…", "# ...", "//...", "/* ... */", "// [...]", "// unchanged lines", "// Existing methods here", "// keep existing code here"])("%s is refused where three lines would be lost, or in the place of lines", (line) => {
  expect(refused(around(line), FILE)).toBe(line);
  expect(refused(around(line), "import one\nimport two\nimport three\n")).toBe(line);
  expect(refused(around(line), "import one\nimport two\n")).toBeUndefined();
  expect(refused("function f() {\n  first();\n  second();\n}\n".replace("second();", `second();\n  ${line}`), "function f() {\n  one();\n  two();\n}\n")).toBeUndefined();
});

test.each([
  // German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian, Chinese, Japanese, Korean.
  "// ... restlicher Code bleibt unverändert ...",
  "// ... bestehender Code ...",
  "/* ... vorhandene Stile ... */",
  "# ... (Rest der Datei unverändert)",
  "// … übrige Methoden wie bisher …",
  "// ... le reste du code reste inchangé ...",
  "// ... code existant ...",
  "# ... reste du fichier sans changement",
  "// ... el resto del código permanece igual ...",
  "// ... código existente ...",
  "# ... resto del archivo sin cambios ...",
  "// ... o resto do código permanece igual ...",
  "// ... restante do arquivo sem alterações ...",
  "// ... resto del codice invariato ...",
  "// ... codice esistente ...",
  "// ... rest van de code blijft ongewijzigd ...",
  "// ... bestaande code ...",
  "// ... reszta kodu bez zmian ...",
  "// ... istniejący kod ...",
  "// ... остальной код без изменений ...",
  "// ... существующий код ...",
  "// ... 其余代码保持不变 ...",
  "// ……其余代码不变……",
  "// ... 现有代码 ...",
  "# ... （其余部分保持不变） ...",
  "// ... 其餘程式碼保持不變 ...",
  "// ... 残りのコードは変更なし ...",
  "// ... 既存のコード ...",
  "// ... 나머지 코드는 변경 없음 ...",
  "// ... 기존 코드 ...",
])("%s means nothing else in its language either", (line) => {
  for (const before of [FILE, "", null, undefined]) expect(refused(around(line), before)).toBe(line);
});

test.each([
  "// Rest des Codes bleibt unverändert",
  "// Der restliche Code bleibt gleich",
  "# restliche Methoden unverändert",
  "// (aus Gründen der Übersichtlichkeit gekürzt)",
  "// Le reste du code reste identique",
  "// reste du code inchangé",
  "// (code omis par concision)",
  "// El resto del código se mantiene igual",
  "# resto del código",
  "// O restante do código permanece o mesmo",
  "// resto do código aqui",
  "// Il resto del codice rimane invariato",
  "// De rest van de code blijft hetzelfde",
  "// Overige code ongewijzigd",
  "// Reszta kodu pozostaje bez zmian",
  "# pozostałe metody bez zmian",
  "// Остальной код остаётся без изменений",
  "// остальные методы без изменений",
  "// 其余代码保持不变",
  "// 省略其他代码",
  "// 其他代码不变",
  "// （省略）",
  "// 残りのコードは同じです",
  "// 以下省略",
  "// その他のコードは変更ありません",
  "// 나머지 코드는 동일합니다",
  "// 기존 코드 유지",
  "// ... weitere Imports ...",
  "// ... otras funciones ...",
  "// ... 其他方法 ...",
  "// ... その他のメソッド ...",
])("%s is refused where something would be lost", (line) => {
  expect(refused(around(line), "import one\nimport two\n")).toBe(line);
  expect(refused(around(line), "import one\n")).toBeUndefined();
});

test.each([
  "// bleibt gleich, damit der Cache nicht verfällt",
  "// Der Rest wird später geladen",
  "// bestehender Code, der von außen kommt",
  "// weitere Methoden",
  "// Datei",
  "# existing código",
  "// le reste de la division",
  "// reste = a % b",
  "// resto de la división",
  "// el mismo código que antes",
  "// o mesmo arquivo",
  "// lo stesso file di prima",
  "// de rest van de gebruikers",
  "// reszta z dzielenia",
  "// остаток от деления",
  "// то же самое",
  "// остальные пользователи",
  "// 其他用户",
  "// 保持连接",
  "// 代码",
  "// 残りの時間",
  "// 設定を変更する",
  "// 나머지를 구한다",
  "// 설정 변경",
  '"... 其余代码保持不变 ..."',
  "- Rest des Codes",
])("%s is a line like others, whatever the language", (line) => {
  for (const before of [FILE, "", null, undefined]) expect(refused(around(line), before)).toBeUndefined();
});

test.each([
  "...rest,",
  "...existing",
  "{ ...original, content }",
  "[...existing, content]",
  "[existing, remaining, rest]",
  "(same)",
  "// the same line",
  "// Same as before, but faster than the other",
  "// Other tests",
  "// TODO: the rest",
  "// the rest is below",
  "// more content",
  "#existing-content {",
  "--rest-of-content: 1;",
  'print("... existing code ...")',
  "'... existing code ...',",
  "* ...",
  "#.........................",
  "// { ... }",
  "return ...;",
  "// ... and the rest of us",
  "// other middleware",
])("%s is a line like others", (line) => {
  for (const before of [FILE, "", null, undefined]) expect(refused(around(line), before)).toBeUndefined();
});

test("allows a line that the file already contains, however indented", () => {
  expect(refused("  // ... existing code ...\nmore\n", `${FILE}// ... existing code ...\n`)).toBeUndefined();
});

test("allows an ellipsis that is syntax", () => {
  expect(refused("def f():\n    ...\n", FILE, "/p/a.py")).toBeUndefined();
  expect(refused("class A:\n    def f(self):\n        \"\"\"Doc.\"\"\"\n        ...\n", FILE, "/p/a.pyi")).toBeUndefined();
  expect(refused("a: 1\n...\n", FILE, "/p/a.yaml")).toBeUndefined();
  expect(refused("int printf(\n  const char *format,\n  ...\n);\n", FILE, "/p/a.c")).toBeUndefined();
  expect(refused("import os\n...\n", FILE, "/p/a.py")).toBe("...");
});

test("ignores code fences and ellipses in prose", () => {
  const shown = "# Existing content\n\n```ts\n// ... existing code ...\n```\n\n...\n";
  expect(refused(shown, FILE, "/p/README.md")).toBeUndefined();
  expect(refused(`${shown}\n<!-- rest of the document unchanged -->\n`, FILE, "/p/README.md")).toBe("<!-- rest of the document unchanged -->");
  expect(refused(`${shown}\n[Rest of the document remains unchanged]\n`, FILE, "/p/README.md")).toBe("[Rest of the document remains unchanged]");
});

test("reports the line's number", () => {
  expect(() => placeholderJudge("/p/a.ts", "a\r\n\r\n  // ... existing code ...\r\n")?.(FILE)).toThrow(
    expect.objectContaining({ failure: { code: "text/placeholder", parameter: "content", line: "// ... existing code ...", number: 3, of: "whole" } }),
  );
});

test("refuses one in part of a file if it stands for replaced text", () => {
  const replace = (replaced: string, newText: string) => () => refusePlaceholder({ path: "/p/a.ts", replaced, newText, parameter: "new_text" });
  const old = "function f() {\n  one();\n  two();\n}";
  const code = expect.objectContaining({ failure: expect.objectContaining({ code: "text/placeholder", parameter: "new_text", number: 2, of: "edit" }) });
  expect(replace(old, "function f() {\n  // ... existing code ...\n  three();\n}")).toThrow(code);
  expect(replace(old, "function f() {\n  // rest of the code\n}")).toThrow(code);
  expect(replace(old, "function f() {\n  // rest of the code\n  one();\n  two();\n}")).not.toThrow();
  expect(replace(old, "function f() {\n  // ...\n}")).toThrow(code);
  expect(replace("function f() {\n  return a\n}", "function f() {\n  /* ... */\n}")).toThrow(code);
  expect(replace(old, "function f() {\n  // ...\n  one();\n  two();\n}")).not.toThrow();
  expect(replace(`${old}\n  three();`, "function f() {\n  // ...\n}")).toThrow(code);
  expect(replace(`// ... existing code ...\n${old}`, "// ... existing code ...")).not.toThrow();
});

test("a lost line of one bracket is no loss", () => {
  const line = "<!-- rest of the page remains the same -->";
  expect([refused(`one()\n${line}\n`, "one()\n}\n"), refused(`one()\n${line}\n`, "one()\ntwo()\n")]).toEqual([undefined, line]);
});

const CODE = "function f() {\n  one();\n  two();\n}\n\nfunction g() {\n  three();\n  return 3;\n}\n";
const PLACED = [
  "// unchanged",
  "/* unchanged */",
  "// same as before",
  "// your existing code",
  "# etc.",
  "// ... and so on",
  "/* ... existing ... */",
  "// existing file",
  "# Existing content",
  "/* rest */",
  "// the rest",
  "// --- existing code ---",
  "// No changes below this line",
  "// no changes",
  "// omitted for brevity",
  "// snip",
  "// previous code here",
  "// as is",
  // German, French, Spanish, Chinese.
  "// unverändert",
  "// wie bisher",
  "// wie gehabt",
  "// bestehender Code",
  "// keine Änderungen",
  "// inchangé",
  "// comme avant",
  "// code existant",
  "// aucun changement",
  "// no cambia",
  "// sin cambios",
  "// igual que antes",
  "// código existente",
  "// 保持不变",
  "// 现有代码",
  "// 其余",
];

test.each(PLACED)("%s is refused in the place of lines", (line) => {
  expect(refused(CODE.replace("one();\n  two();", line), CODE)).toBe(line);
  expect(refused(CODE.replace("three();\n  return 3;", line).replace("g()", "g(x)"), CODE)).toBe(line);
  expect(refused(`${CODE.slice(0, CODE.indexOf("function g"))}${line}\n`, CODE)).toBe(line);
  expect(refused(`${line}\n\n${CODE.slice(CODE.indexOf("function g"))}`, CODE)).toBe(line);
  expect(refused(around(line), null)).toBe(line);
});

test.each(PLACED)("%s may stand where nothing is lost", (line) => {
  for (const before of ["", undefined]) expect(refused(around(line), before)).toBeUndefined();
  expect(refused(`${CODE}\n${line}\nfour();\n`, CODE)).toBeUndefined();
  expect(refused(CODE.replace("one();", `${line}\n  one();`), CODE)).toBeUndefined();
  expect(refused(CODE.replace("one();\n  two();", `${line}\n  first();\n  second();`), CODE)).toBeUndefined();
  expect(refused(CODE.replace("one();\n  two();", `first();\n  ${line}\n  second();`), CODE)).toBeUndefined();
  expect(refused(CODE.replace("one();", line), CODE.replace("one();", "// what f does"))).toBeUndefined();
  expect(refused(CODE.replace("one();\n  two();", line), `${line}\n${CODE}`)).toBeUndefined();
});

test.each([
  "function f() { /* ... */ }",
  "function f() { /* same as before */ }",
  "function f(x) { // ...",
  "function f() { // rest of the code",
  "const f = () => { /* unchanged */ };",
  "const f = () => /* existing code */;",
  "f(/* ... */);",
  "<F>{/* ... */}</F>",
  "def f():  # unchanged",
  "def f():  # ...",
  "f: // wie bisher",
  "function f() { /* unverändert */ }",
  "function f() { /* inchangé */ }",
  "function f() { /* sin cambios */ }",
  "function f() { /* 保持不变 */ }",
])("%s is refused in the place of lines", (line) => {
  expect(refused(CODE.replace("function f() {\n  one();\n  two();\n}", line), CODE)).toBe(line);
  expect(refused(`${CODE}\n${line}\n`, CODE)).toBeUndefined();
  expect(refused(`${CODE}\n${line}\n`, undefined)).toBeUndefined();
  expect(refused(`${line}\n`, `${CODE}\n${line}\n`)).toBeUndefined();
});

test.each([
  "// same as before the refactoring, but faster",
  "// wie bisher, nur schneller",
  "// comme avant, mais plus vite",
  "// igual que antes, pero más rápido",
  "// 和以前一样，但是更快",
  "// the rest is handled by the caller",
  "// keep in mind that f is slow",
  "// no changes needed here",
  "// snippets",
  "// --- helpers ---",
  "f(x); // same as before",
  "const url = 'https://existing/code';",
  "if (a) { // the existing user",
  "if (a) { // the existing users",
  "g({ ...rest });",
  "call(/* force */ true);",
  "catch { /* ignore */ }",
])("%s is a line like others, also in the place of lines", (line) => {
  for (const before of [CODE, "", null, undefined])
    expect(refused(CODE.replace("one();\n  two();", line), before)).toBeUndefined();
});

test("a comment beside the head of a block whose lines are still there is no placeholder", () => {
  const [before, after] = ["if (a) {\n  one();\n  two();\n}\n", "if (b) { // same as before\n  one();\n  two();\n}\n"];
  expect(refused(after, before)).toBeUndefined();
  expect(refused("if (b) { // same as before\n}\n", before)).toBe("if (b) { // same as before");
});

test("finds one in the place of lines behind an equal comment that replaces nothing", () => {
  const line = "// same as before";
  expect(refused(`${line}\n${CODE.replace("three();\n  return 3;", line)}`, CODE)).toBe(line);
});

test("many of them take linear time", () => {
  const lines = (line: (index: number) => string) => Array.from({ length: 20_000 }, (_, index) => line(index)).join("\n");
  const work = measureWork();
  expect(refused(lines(() => "// unchanged"), lines((index) => `f(${index});`))).toBe("// unchanged");
  expect(refused(lines((index) => (index % 2 === 0 ? "// unchanged" : `g(${index});`)), lines((index) => `f(${index % 7});`))).toBe("// unchanged");
  expect(work()).toBeLessThan(5_000);
});

test.each([
  ["vb", "' rest of the code unchanged"],
  ["bat", "REM rest of the file unchanged"],
  ["bat", ":: ... existing code ..."],
  ["cmd", "@rem ... existing code ..."],
  ["vim", "\" ... existing code ..."],
  ["hs", "{- ... existing code ... -}"],
  ["hbs", "{{!-- rest of the template unchanged --}}"],
  ["hbs", "{{! rest of the template unchanged }}"],
  ["j2", "{# ... existing code ... #}"],
  ["erb", "<%# rest of the file unchanged %>"],
  ["cshtml", "@* rest of the page unchanged *@"],
  ["lua", "--[[ ... existing code ... ]]"],
  ["ps1", "<# rest of the script unchanged #>"],
  ["f90", "! ... existing code ..."],
])("a comment of a .%s file is one: %s", (extension, line) => {
  expect(refused(`one()\n${line}\n`, "one()\ntwo()\n", `/p/a.${extension}`)).toBe(line);
});

test.each(["' rest of the code unchanged',", '" existing code "', "!rest", "{#if rest}", "'existing code' + rest"])("%s is no comment", (line) => {
  expect(refused(`one()\n${line}\n`, FILE, "/p/a.svelte")).toBeUndefined();
});
