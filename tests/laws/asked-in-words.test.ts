/** The law of a change that an answer asks for in words alone, in a file that no block names: the report names it. */
import { describe, expect, test } from "vitest";
import { readAnswer } from "../../src/answer/read-answer.ts";

/** `OTHER` and `THIRD` are files that no block names, `SHOWN` is one that a block names. */
const ASKED = [
  "And in `OTHER`, wrap the call in a try block.", "Make the same change in `OTHER`.", "You'll also need to add the import of `os` to `OTHER`.",
  "Do the same for `OTHER` and `THIRD`.", "Finally, rename `x` to `y` in `OTHER`.", "You also need to update the call in `OTHER`.",
  "Then update OTHER to pass the new argument.", "**OTHER**: rename `x` to `y`.", "`OTHER` needs the same change.", "`OTHER` must be updated too.",
  "The same goes for `OTHER`.", "The same fix is needed in `THIRD`.", "To keep them in step, add a second parameter to `total` in `OTHER`.",
  "Remember to update the imports in `OTHER`.", "Don't forget to change the call in `OTHER`.", "Make sure to register it in [OTHER](OTHER).",
  "For consistency, also switch `OTHER` to the new helper.", "`total` is async now, so add `await` to the call in `OTHER`.",
  "Since the name has changed, you must also rename it in `OTHER`.", "Fix the caller in `SHOWN` as shown, then update the one in `OTHER`.",
  "Next, open `OTHER` and replace the loop with a call of `total`.", "We should also bump the version in `OTHER`.", "Update the header of `OTHER` as well.",
  "In `OTHER` and `THIRD`, drop the second argument.", "Set the limit to 5 in `OTHER`.", "Once that is done, remove the old helper from the top of `OTHER`.",
  "Now also add a test for it in `OTHER`.", "After the change, you will have to adapt the callers in `OTHER`.", "Let's also move the constants to `OTHER`.",
  "I've also updated `OTHER` to use it.", "Updated the call in `OTHER`.", "Replace it across `OTHER` and `THIRD`.", "Change its callers (`OTHER`, `THIRD`).", "Now `OTHER` must pass it, too.",
  "Mach dasselbe in `OTHER`.", "Ändere auch den Aufruf in `OTHER`.", "Du musst außerdem den Import in `OTHER` ergänzen.", "Füge in `OTHER` den Import hinzu.",
  "Dasselbe gilt für `OTHER`.", "Auch `OTHER` muss angepasst werden.", "Faites de même dans `OTHER`.", "Ajoutez aussi l'import dans `OTHER`.", "Il faut aussi modifier l'appel dans `OTHER`.",
  "Même chose pour `OTHER`.", "Haz lo mismo en `OTHER`.", "También debes añadir el import en `OTHER`.", "Agrega el import en `OTHER`.", "Lo mismo para `OTHER`.",
];
/** Tables, lists and sections. */
const LISTED = [
  "| File | Change |\n|---|---|\n| SHOWN | new `total` |\n| OTHER | rename `x` to `y` |", "| File | Change |\n|---|---|\n| `OTHER` | import added |", "| # | What | Where |\n|---|---|---|\n| 1 | Renamed `x` to `y` | `OTHER` |",
  "- `SHOWN`: new `total`\n- `OTHER`: rename `x` to `y`", "- **OTHER** – added the import", "1. `OTHER` → pass the new argument", "Make the same change in:\n\n- `OTHER`\n- `THIRD`", "These files need the same change:\n\n- `OTHER`",
  "Also update the callers:\n\n* OTHER\n* THIRD", "### `OTHER`\n\nWrap the call in a try block.", "### 2. Update `OTHER`\n\nIt is called there twice.", "**OTHER**\n\nAdd the import of `os`.", "In `OTHER`:\n\n1. Add the import.\n2. Call it.",
];
const NOT_LISTED = [
  "| File | Change |\n|---|---|\n| SHOWN | new `total` |\n| OTHER | none |", "| File | Purpose |\n|---|---|\n| `OTHER` | Handles all updates |", "| File | Change |\n|---|---|\n| `OTHER` | unchanged |",
  "Used in:\n\n- `OTHER`\n- `THIRD`", "It is called from:\n\n- `OTHER`", "- `OTHER`: uses it in two places", "- `OTHER`: no change needed", "Files that import it:\n\n- `OTHER`", "### `OTHER`\n\nThis file stays as it is.", "In `OTHER`, the call stays.\n\nThat is all.",
];
const NOT_ASKED = [
  "This also fixes the bug in `OTHER`.", "`OTHER` stays as it is.", "No change in `OTHER` is needed.", "See `OTHER` for how it is used.", "Run `pytest tests/OTHER`.",
  "The tests in `OTHER` still pass.", "After this, `OTHER` imports it.", "You don't need to change `OTHER`.", "Nothing else has to be updated in `OTHER`.",
  "There is no need to update `OTHER`.", "The call in `OTHER` is already correct.", "`OTHER` needs no change.", "You should see the new total in `OTHER`.",
  "I left `OTHER` alone.", "Should I update `OTHER` as well?", "If you like, add it to `OTHER` too.", "It is called from `OTHER`.", "The same bug was in `OTHER` before.",
  "Update `SHOWN` to match `OTHER`.", "Add the import to `SHOWN`, as in `OTHER`.", "Use `OTHER` as a reference.", "Keep `OTHER` as it is.", "`OTHER` should now work.",
  "Then run `OTHER` again.", "Check the callers in `OTHER`.", "This lets `OTHER` add more of them.", "You can now import it in `OTHER`.", "The update in `OTHER` came first.",
  "It reads its settings from `OTHER`, changes nothing there and returns.", "Let me know if you want me to change `OTHER`.", "The helper, added in `OTHER`, is still used.",
  "Move the constants from `OTHER` to `SHOWN`.", "Alternatively, update `OTHER`.", "Replace `total` in `SHOWN` so that it works like the one in `OTHER`.",
  "Don't change `OTHER`.", "You must not edit `OTHER`.", "Callers such as `OTHER` can add it later.", "Add `OTHER` to the list in `SHOWN`.",
  "Make sure the tests in `OTHER` pass.", "To test it, call it in `OTHER`.", "Add a test in `OTHER` if you like.", "Apply it to `OTHER` too if you use that.", "Fixed: `OTHER` crashed on empty input.", "I added nothing to `OTHER`.",
  "Import it from `OTHER`.", "Files that changed: `OTHER` now imports it.", "For `OTHER`, no changes are needed.", "Follow the style of `OTHER`.", "You need to restart it after editing `OTHER`.", "It is used by `OTHER`.", "Added in `OTHER`, it is found there.",
  "`OTHER` bleibt unverändert.", "Du musst `OTHER` nicht ändern.", "Siehe `OTHER`.", "`OTHER` reste inchangé.", "Il ne faut pas modifier `OTHER`.", "`OTHER` no cambia.", "No hay que cambiar `OTHER`.",
];

const KINDS = [["src/a.py", "src/b.py", "lib/c.py"], ["a.ts", "b.ts", "web/c.tsx"], ["src/main.rs", "src/client.rs", "Cargo.toml"], ["index.html", "style.css", "app.js"]] as const;
const BLOCKS: Readonly<Record<string, (path: string) => string>> = {
  "a sentence and a fence": (path) => `Update \`total\` in \`${path}\`:\n\n\`\`\`\ndef total(items):\n    return sum(items)\n\`\`\``,
  "a whole file": (path) => `**${path}**\n\n\`\`\`\nx = 1\n\`\`\``,
  "SEARCH/REPLACE": (path) => `${path}\n\`\`\`\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n\`\`\``,
  "a diff": (path) => `\`\`\`diff\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x = 1\n+x = 2\n\`\`\``,
};
const PLACES: Readonly<Record<string, (block: string, words: string) => string>> = {
  "below": (block, words) => `${block}\n\n${words}\n`,
  "above": (block, words) => `${words}\n\nThat is all there is to say about it.\n\n## The change\n\n${block}\n`,
  "behind another sentence": (block, words) => `${block}\n\nThat makes it faster. ${words}\n`,
  "as a heading": (block, words) => `${block}\n\n### ${words.replace(/\.$/, "")}\n\nThere are two of them.\n`,
  "in a list": (block, words) => `${block}\n\nNotes:\n\n- It is faster now.\n- ${words}\n`,
};

const answers = KINDS.flatMap((kind) => Object.keys(BLOCKS).flatMap((block) => Object.keys(PLACES).map((place) => ({ kind, block, place, path: kind[0] }))));
const namedIn = (words: string, { kind: [path, other, third], block, place }: (typeof answers)[number]): readonly string[] => {
  const told = words.replaceAll("SHOWN", path).replaceAll("OTHER", other).replaceAll("THIRD", third);
  const text = PLACES[place]?.(BLOCKS[block]?.(path) ?? "", told) ?? "";
  return readAnswer(text).findings.filter(({ message }) => message.includes(other) || message.includes(third)).map(({ message }) => message);
};

const isSection = ({ place }: (typeof answers)[number]): boolean => place === "below" || place === "above";

describe.each([...ASKED, ...LISTED])("%s", (words) => {
  test("is named", () => {
    const silent = answers.filter((given) => (!LISTED.includes(words) || isSection(given)) && namedIn(words, given).length === 0);
    expect(silent.map(({ path, block, place }) => `${path}: ${block}, ${place}`)).toEqual([]);
  });
});

describe.each([...NOT_ASKED, ...NOT_LISTED])("%s", (words) => {
  test("is not named", () => {
    expect(answers.flatMap((given) => (NOT_LISTED.includes(words) && !isSection(given) ? [] : namedIn(words, given)))).toEqual([]);
  });
});

/** What the code below shows is no order in words. */
const SHOWN_BELOW: Readonly<Record<string, (words: string) => string>> = {
  "right above a fence": (words) => `${words.replace(/\.$/, ":")}\n\n\`\`\`\nx = 3\n\`\`\`\n`,
  "as the heading of a fence": (words) => `### ${words.replace(/\.$/, "")}\n\nThere it goes like this:\n\n\`\`\`\nx = 3\n\`\`\`\n`,
};
describe.each(ASKED)("%s", (words) => {
  test.each(Object.entries(SHOWN_BELOW))("is not named %s", (_, write) => {
    const told = write(words.replaceAll("SHOWN", "a.py").replaceAll("OTHER", "b.py").replaceAll("THIRD", "c.py"));
    const messages = Object.values(BLOCKS).flatMap((block) => readAnswer(`${block("a.py")}\n\n${told}`).findings.map(({ message }) => message));
    expect(messages.filter((message) => message.startsWith('not read: "'))).toEqual([]);
  });
});

/** A change of the same file that one sentence orders, beside an edit that another one makes by code spans. */
const ORDERED = ["Remove the `old` function from `src/a.py`.", "First, remove the `old` function from `src/a.py`.", "Rename `items` to `rows` in `total` in `src/a.py`.", "Also delete `old`.", "1. Drop the `old` function from `src/a.py`."];
const EDITS = ["In `src/a.py`, change `LIMIT = 1` to `LIMIT = 2`.", "Then, change `LIMIT = 1` to `LIMIT = 2` in `src/a.py`.", "2. Replace `LIMIT = 1` with `LIMIT = 2` in `src/a.py`."];
test.each(ORDERED.flatMap((order) => EDITS.map((edit) => [order, edit] as const)))("%s %s", (order, edit) => {
  for (const answer of [`${order}\n\n${edit}\n`, `${edit}\n\n${order}\n`]) {
    const { findings, items } = readAnswer(answer, {});
    expect(items.length).toBe(1);
    expect(findings.map(({ message }) => message).join("\n")).toContain(order.includes("Rename") ? "`items` to `rows`" : "`old`");
  }
});

/** Imports that a sentence orders and no block has, and what blocks do or sentences only explain. */
const UNMADE = [
  "And import `datetime` at the top.", "and import `strings`.", "plus `import logging`.", "and `sync` has to be imported.",
];
const MADE = [
  "Set `DEBUG=1` before you start it.", "Add `-v` to see details.", "You must set `API_KEY=...` in your environment.", "Remember to set `LANG=C`.", "Add `~/.local/bin` to your `PATH`.", "Insert `print(path)` to debug.", "Lower the log level to `INFO` in production.", "You can import it with `from a import load`.", "Then import `a` in a Python shell.", "Also import `load` in your own scripts.",
  "Add `total` to the class.", "And import `os` at the top.", "plus `import os`.", "Import `total` where you need it?", "If you like, add `limit` to it.", "You could add `limit` later.", "It imports `datetime` only once.", "This adds `limit` to `Unit`.", "Adding `limit` would break it.",
  "`datetime` is imported already.", "Don't add `limit` to it.", "There's no need to import `datetime`.", "Set it in your shell.", "Add exabytes to `bytesize`.", "`limit` comes from `click`.", "The old code set `limit` to `7`.", "I'd never set `limit` to `7`.",
];
const EDIT = "In `src/a.py`:\n\n```python\nimport os\n\ndef total(items):\n    return strings.sum(items) + datetime.now() + sync.x\n```\n";
const unreadIn = (answer: string): readonly string[] => readAnswer(answer).findings.map(({ message }) => message).filter((message) => message.startsWith('not read: "'));
test.each(UNMADE)("%s: named, though the blocks have the name", (words) => {
  expect(unreadIn(`${EDIT}\n${words}\n`).length).toBe(1);
});
test.each(MADE)("%s: not named", (words) => {
  expect(unreadIn(`${EDIT}\n${words}\n`)).toEqual([]);
});
