/** The law of a member whose kind a sentence names, where the file has one block with the name of several: an action in `actions`. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const STORE = ["export const useUser = defineStore('user', {", "  state: () => ({ name: '' }),", "});", "", "export const useCart = defineStore('cart', {", "  getters: {", "    count: (state) => state.items.length,", "  },", "  actions: {", "    add(item) {", "      this.items.push(item);", "    },", "  },", "});", ""];
const ROUTES = ["const routes = [", "  { path: '/', component: Home },", "];", "", "export default createRouter({ routes });", ""];
const answerOf = (sentence: string, code: string): string => `${sentence}\n\n\`\`\`\n${code}\n\`\`\`\n`;

/** Each with the line below which it goes. */
const MEMBERS: ReadonlyArray<readonly [path: string, lines: readonly string[], sentence: string, code: string, at: number]> = [
  ["a.ts", STORE, "Add a `remove` action in `a.ts`:", "remove(item) {\n  this.items = without(item);\n},", 12],
  ["a.ts", STORE, "Add a `remove` action to `useCart` in `a.ts`:", "remove(item) {\n  this.items = without(item);\n},", 12],
  ["a.ts", STORE, "In `a.ts`, add a new getter:", "isEmpty: (state) => state.items.length === 0,", 7],
  ["a.js", ROUTES, "Add a route in `a.js`:", "{ path: '/cart', component: Cart },", 2],
  ["a.js", ROUTES, "Add another route to `a.js`:", "{\n  path: '/cart',\n  component: Cart,\n},", 2],
  ["a.vue", ["<script>", "export default {", "  methods: {", "    greet() {", "      alert(1);", "    },", "  },", "};", "</script>", ""], "Add a `reset` method to `a.vue`:", "reset() {\n  this.x = 1;\n},", 6],
];

describe.each(MEMBERS)("%s, %#: %s", (path, lines, sentence, code, at) => {
  const depth = /^ */.exec(lines[at - 1] ?? "")?.[0] ?? "";
  const added = code.split("\n").map((line) => depth + line);

  test("it goes to the end of the block", async () => {
    expect(await answered(path, lines.join("\n"), answerOf(sentence, code))).toBe(lines.toSpliced(at, 0, ...added).join("\n"));
  });

  test("a member above without a comma gets one", async () => {
    const open = lines.with(at - 1, (lines[at - 1] ?? "").replace(/,$/, ""));
    const wanted = lines.toSpliced(at, 0, ...added).join("\n");
    expect([open.join("\n"), wanted]).toContain(await answered(path, open.join("\n"), answerOf(sentence, code)));
  });

  test("of two such blocks none is taken", async () => {
    const twice = [...lines, ...lines].join("\n");
    const text = await answered(path, twice, answerOf(sentence, code));
    if (!sentence.includes("useCart")) expect(text).toBe(twice);
  });
});

/** What is no such member, or belongs elsewhere. */
test.each([
  ["a.ts", STORE, "Add a `rename` action to `useUser` in `a.ts`:", "rename(name) {\n  this.name = name;\n},"],
  ["a.ts", STORE, "Add a `remove` action in `a.ts`:", "const store = useCart();\nstore.remove('a');"],
  ["a.ts", STORE, "Add two actions in `a.ts`:", "a() {\n  x();\n},\nb() {\n  y();\n},"],
  ["a.ts", ["interface Props {", "  a: number;", "}", "const props = {", "  a: 1,", "};", ""], "Add a prop to `a.ts`:", "b: string;"],
  ["a.js", ROUTES.toSpliced(2, 0, "  { path: '*', component: Missing },"), "Add a route in `a.js`:", "{ path: '/cart', component: Cart },"],
] as const)("%s, %#: %s", async (path, lines, sentence, code) => {
  const text = await answered(path, lines.join("\n"), answerOf(sentence, code));
  expect([lines.join("\n"), lines.toSpliced(2, 0, code).join("\n")]).toContain(text);
});
