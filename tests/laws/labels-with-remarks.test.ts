/** Law of paths at fences: a remark or a sentence that calls the code old, another's or wrong makes it no edit; others do not. */
import { expect, test } from "vitest";
import { takesBack } from "../../src/excerpts/takes-back.ts";
import { answered, answeredIn } from "./answered.ts";

const CODES = [
  { path: "src/a.py", language: "python", file: "import os\n\n\ndef a(x):\n    return x + 1\n\n\ndef b(x):\n    return a(x)\n", was: "def a(x):\n    return x + 1\n", now: "def a(x):\n    return x + 2\n" },
  { path: "src/a.ts", language: "ts", file: "import { x } from \"./x\";\n\nexport function a(y: number) {\n  return y + 1;\n}\n\nexport function b() {\n  return a(x);\n}\n", was: "export function a(y: number) {\n  return y + 1;\n}\n", now: "export function a(y: number) {\n  return y + 2;\n}\n" },
  { path: "src/a.go", language: "go", file: "package a\n\nfunc a(x int) int {\n\treturn x + 1\n}\n\nfunc b(x int) int {\n\treturn a(x)\n}\n", was: "func a(x int) int {\n\treturn x + 1\n}\n", now: "func a(x int) int {\n\treturn x + 2\n}\n" },
];
const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\`\`\`\n`;
const LABELS = [(path: string, remark: string) => `### ${path} ${remark}`, (path: string, remark: string) => `**${path}** ${remark}`, (path: string, remark: string) => `\`${path}\` ${remark}:`, (path: string, remark: string) => `**\`${path}\` ${remark}**`];
const KEPT = ["(old)", "(before)", "(current)", "(current version)", "(the current code)", "(original)", "(previous version)", "(unchanged)", "(left unchanged)", "(no changes)", "(not changed)", "(do not change)", "(please don't edit)", "(for reference)", "(only for comparison)", "(for reference, unchanged)", "(example)", "(alternative)", "(alternative version)", "– old", "- unchanged", "(alt)", "(unverändert)", "(bisherige Fassung)", "(ancienne version actuelle)", "(inchangé)", "(sin cambios)", "(código anterior)", "(旧)", "(不变)", "（修改前）"];
const MADE = ["(existing)", "(updated)", "(new)", "(fixed)", "(excerpt)", "(snippet)", "(partial)", "(around line 12)", "(backend)", "(before line 9)", "(unchanged except for `a`)", "(unchanged apart from a)", "(old name kept)", "(current and new callers)", "(existing file)", "(existing, updated)", "(from old to new)", "(no longer leaks)", "(not only for tests)", "(reference counting)", "(example app)", "(alternative styles removed)", "(original API)", "(final)", "— updated", "- fixed", "(1/2)", "(changed function only)", "(neu)", "(geändert)", "(modificado)", "(已修改)", "(version 2)", "(previously broken)"];

test("a remark that the code is old, as it was or an example makes no edit", async () => {
  for (const { path, language, file, now } of CODES)
    for (const remark of KEPT)
      for (const label of LABELS) {
        const answer = `Here is what matters.\n\n${label(path, remark)}\n\n${fence(language, now)}`;
        expect(await answered(path, file, answer), label(path, remark)).toBe(file);
      }
});

test("another remark leaves it an edit", async () => {
  for (const { path, language, file, was, now } of CODES)
    for (const remark of MADE)
      for (const label of LABELS) {
        const answer = `${label(path, remark)}\n\n${fence(language, now)}`;
        expect(await answered(path, file, answer), label(path, remark)).toBe(file.replace(was, now));
      }
});

/** At the fence: in its first line, its info string, above it. */
const AT_FENCES = [
  (path: string, language: string, code: string) => fence(language, `${language === "python" ? "#" : "//"} ${path}\n${code}`),
  (path: string, language: string, code: string) => fence(`${language} ${path}`, code),
  (path: string, language: string, code: string) => `**${path}**\n\n${fence(language, code)}`,
  (path: string, language: string, code: string) => `### \`${path}\`\n\n${fence(language, code)}`,
];
const WARNINGS = ["This is an anti-pattern:", "A common mistake:", "The following leaks a connection:", "This would leak a connection:", "This won't work:", "This doesn't work:", "Imagine the function looked like this:", "Suppose you had written:", "If you had this, it would leak:", "Hypothetically:", "In an older version it was:", "Version 1 looked like this:", "Upstream has:", "In another project I saw:", "For comparison, the naive version:", "Vermeide so etwas:", "So bitte nicht:", "Évitez ceci :", "Evita esto:", "不要这样做:"];
const HANDS_OVER = ["Your `a` never closes the file. Fix:", "Here's the fix:", "`a` doesn't handle errors, so change it:", "Add a check:", "This handles the empty list:", "This makes `a` faster:", "Here are the changes:", "The fix has one part:", "Two files need to change:", "The solution:", "Step 1:", "Backend:", "This now works for all inputs:", "This will be the new version:", "This is the whole change:", "This should now be:", "That is all you need:", "The following replaces `a`:", "The following will also be needed:", "I rewrote it so that it can't fail:", "I saw that `a` leaks, so I changed it:", "`a` now looks like this:", "To prevent the crash, return early:", "Don't forget this one:", "Update it so it never fails:", "The class then has:", "Use a copy, as this can be changed:", "With this it is faster:", "This will fix it:", "This can be simplified:", "The following version will handle it:", "This leaks memory; use this instead:", "For reference, here is the complete updated function:", "Avoid the second call:", "To make that work:", "Ändere die Funktion so:", "Voici la correction :", "Cambia la función así:", "Then wire it up:"];

test("a sentence right above that warns of the code or supposes it makes no edit", async () => {
  for (const { path, language, file, now } of CODES)
    for (const warning of WARNINGS)
      for (const write of AT_FENCES) {
        const answer = `Your code is fine.\n\n${warning}\n\n${write(path, language, now)}\nKeep yours.\n`;
        expect(await answered(path, file, answer), answer).toBe(file);
      }
});

test("one that tells the fault or hands the code over leaves it an edit", async () => {
  for (const { path, language, file, was, now } of CODES)
    for (const sentence of HANDS_OVER)
      for (const write of AT_FENCES) {
        const answer = `${sentence}\n\n${write(path, language, now)}`;
        expect(await answered(path, file, answer), answer).toBe(file.replace(was, now));
      }
});

test("the original text below its edit takes nothing back, and a move stays one", async () => {
  for (const { path, language, file, was, now } of CODES)
    for (const [above, below] of [["New:", "Old:"], [`Update \`a\` in \`${path}\`:`, "Old version for comparison:"], ["The fix:", "Your version:"]])
      for (const write of AT_FENCES) {
        const answer = `${above}\n\n${write(path, language, now)}\n${below}\n\n${write(path, language, was)}`;
        expect(await answered(path, file, answer), answer).toBe(file.replace(was, now));
      }
});

test("only what is as it was at its place takes something back", () => {
  const [original, before] = ["a = 1\nb = 2\nc = 3\nd = 4\n", "a = 9\nb = 2\nc = 3\nd = 4\n"];
  expect(takesBack({ original, before, content: "a = 1\n", text: original })).toBe(true);
  expect(takesBack({ original, before: "b = 2\nc = 3\nd = 4\n", content: "a = 1\nb = 2\n", text: original })).toBe(true);
  // A move, a swap, and a further edit.
  expect(takesBack({ original, before: "b = 2\nc = 3\nd = 4\n", content: "a = 1\n", text: "b = 2\nc = 3\na = 1\nd = 4\n" })).toBe(false);
  expect(takesBack({ original, before, content: "a = 1\n", text: "a = 9\nb = 2\na = 1\nd = 4\n" })).toBe(false);
  expect(takesBack({ original, before, content: "d = 5\n", text: "a = 9\nb = 2\nc = 3\nd = 5\n" })).toBe(false);
  expect(takesBack({ original, before: original, content: "a = 1\n", text: original })).toBe(false);
});

test("a use without a path and an order is no edit of the file that uses the same", async () => {
  const files = {
    "src/user.js": "export class User {\n  rename(name) {\n    this.name = name;\n  }\n}\n",
    "src/main.js": "import { User } from './user.js';\n\nconst user = new User('Ada');\nuser.rename('Eve');\nconsole.log(user.name);\n",
  };
  const first = `Update \`src/user.js\`:\n\n${fence("js", "rename(name) {\n  this.name = name.trim();\n}\n")}\n`;
  const use = "const user = new User('Ada');\nuser.rename(' Bob ');\nconsole.log(user.name);\n";
  const after = { "src/user.js": files["src/user.js"].replace("= name", "= name.trim()") };
  for (const sentence of ["Callers must not pass an empty name:", "With this change:", "Then this prints the trimmed name:", "Damit funktioniert jetzt auch:", "Ahora puedes escribir:", "Be careful with code such as:"])
    expect(await answeredIn(files, `${first}${sentence}\n\n${fence("js", use)}`), sentence).toEqual({ ...files, ...after });
  for (const sentence of ["And update the caller:", "Change the call:", "Then in `main.js`, change the call:", "In main, replace the lines:"])
    expect((await answeredIn(files, `${first}${sentence}\n\n${fence("js", use)}`))["src/main.js"], sentence).toContain("' Bob '");
});

test("a sentence with a second clause, or with a word for the new text, hands the code over", async () => {
  for (const { path, language, file, was, now } of CODES)
    for (const sentence of ["Right now `a` fails, so add a guard:", "At the moment `a` is slow; make it fast:", "The missing piece was:", "Currently it returns too little:"])
      for (const write of AT_FENCES.slice(2)) expect(await answered(path, file, `${sentence}\n\n${write(path, language, now)}`), sentence).toBe(file.replace(was, now));
});

test("what an order puts back is a further edit", async () => {
  for (const sentence of ["Then put it back in `a.py`:", "Then restore it in `a.py`:", "Now undo that in `a.py`:", "Leave the flag alone in `a.py`:"])
    expect(await answered("a.py", "import os\n\nDEBUG = False\n", `In \`a.py\`, set the flag:\n\n\`\`\`\nDEBUG = True\n\`\`\`\n\n${sentence}\n\n\`\`\`\nDEBUG = False\n\`\`\`\n`), sentence).toBe("import os\n\nDEBUG = False\n");
});

test("code of a caller goes into its file, and a use into none", async () => {
  const [user, main] = ["export class User {\n  rename(name) {\n    this.name = name;\n  }\n}\n", "import { User } from './user.js';\n\nconst user = new User('Ada');\nuser.rename('Eve');\nconsole.log(user.name);\n"];
  const written = (sentence: string): string => `Update \`rename\` in \`src/user.js\`:\n\n\`\`\`js\n  rename(name) {\n    this.name = name.trim();\n  }\n\`\`\`\n\n${sentence}\n\n\`\`\`js\nconst user = new User('Ada');\nuser.rename('Bob');\nconsole.log(user.name);\n\`\`\`\n`;
  for (const [sentence, lands] of [["The caller becomes:", true], ["The calling code should be:", true], ["Update the call:", true], ["Callers must not pass an empty name any more:", false], ["Be careful with code such as:", false], ["Then this prints the trimmed name:", false]] as const) {
    const landed = await answeredIn({ "src/user.js": user, "src/main.js": main }, written(sentence));
    expect(landed["src/main.js"], sentence).toBe(lands ? main.replace("Eve", "Bob") : main);
  }
});
