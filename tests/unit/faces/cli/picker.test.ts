import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isTicked, pickerLines, type Picking, press, type FileTree, startPicking } from "../../../../src/faces/cli/picker.ts";

const FILES = ["README.md", "docs/a.md", "src/app.ts", "src/lib/one.ts", "src/lib/two.ts"];
const listed: string[] = [];
const source: FileTree = {
  list(folder) {
    listed.push(folder);
    const inside = FILES.flatMap((path) => (folder === "" ? [path] : path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []));
    return [...new Set(inside.map((path) => path.split("/")[0] ?? ""))].map((name) => ({ name, isFolder: !FILES.includes(folder === "" ? name : `${folder}/${name}`) }));
  },
  files: () => FILES,
  tokensOf: (path) => 1_000 * FILES.filter((file) => path === "" || file === path || file.startsWith(`${path}/`)).length,
};

const key = (name: string) => (name.length === 1 ? { name: /[a-z]/.test(name) ? name : undefined, sequence: name } : { name, sequence: name === "space" ? " " : "" });
const after = (keys: string, start = startPicking([])): Picking => keys.split(" ").filter((name) => name !== "").reduce((state, name) => press(state, key(name), source), start);
const screen = (state: Picking, size = { width: 60, height: 12 }) => pickerLines(state, source, size).map((line) => line.trimEnd());
const chosen = (state: Picking) => FILES.filter((file) => isTicked(state.ticked, file));

describe("choosing files", () => {
  test("shows the top of the tree, and lists no folder that is closed", () => {
    listed.length = 0;
    expect(screen(startPicking([]))).toEqual([
      "0 ticked, about 0 tokens",
      `>[ ]   README.md${"1,000".padStart(44)}`,
      " [ ] ▸ docs/",
      " [ ] ▸ src/",
      "space tick · ←→ close, open · / filter · Enter take · Esc l…",
    ]);
    expect(new Set(listed)).toEqual(new Set([""]));
  });

  test("opens folders, ticks, and counts what is ticked", () => {
    const state = after("down down right down space");
    expect([...state.ticked]).toEqual(["src/app.ts"]);
    expect(screen(state).slice(0, 6)).toEqual([
      "1 ticked, about 1,000 tokens",
      ` [ ]   README.md${"1,000".padStart(44)}`,
      " [ ] ▸ docs/",
      " [-] ▾ src/",
      ` [x]     app.ts${"1,000".padStart(45)}`,
      ">[ ]   ▸ lib/",
    ]);
  });

  test("a ticked folder stands for its files, and unticking one ticks the others", () => {
    const folder = after("down down space");
    expect([...folder.ticked]).toEqual(["src"]);
    expect(screen(folder)[0]).toBe("1 ticked, about 3,000 tokens");
    const without = after("right down down right down down space", folder);
    expect([...without.ticked].toSorted()).toEqual(["src/app.ts", "src/lib/one.ts"]);
    expect(chosen(press({ ...startPicking([""]) }, key("space"), source))).toEqual(FILES.slice(1));
  });

  test("filters by a part of the path", () => {
    const found = after("/ L i B enter");
    expect(screen(found).slice(0, 3)).toEqual(["0 ticked, about 0 tokens · /LiB", `>[ ]   src/lib/one.ts${"1,000".padStart(39)}`, ` [ ]   src/lib/two.ts${"1,000".padStart(39)}`]);
    expect([...after("space", found).ticked]).toEqual(["src/lib/one.ts"]);
    expect(after("escape", found)).toMatchObject({ filter: "", isTyping: false });
    expect(screen(after("/ x y"))[1]).toBe("No file's path contains that");
    expect(after("/ q backspace escape").end).toBeUndefined();
  });

  test("Enter takes, Esc, q and Ctrl-C leave", () => {
    expect(after("space return").end).toBe("taken");
    for (const name of ["escape", "q"]) expect(after(name).end).toBe("left");
    expect(press(after("/"), { name: "c", ctrl: true }, source).end).toBe("left");
  });

  test("fits a narrow and low terminal", () => {
    const lines = screen(after("down down right end"), { width: 18, height: 4 });
    expect(lines).toEqual(["0 ticked, about 0…", " [ ]     app.ts", ">[ ]   ▸ lib/", "space tick · ←→ c…"]);
  });

  test("whatever is pressed, the cursor is on a row, lines fit, and Esc ends it", () => {
    const keys = fc.array(fc.constantFrom("up", "down", "left", "right", "space", "/", "a", "backspace", "return", "home", "end", "pageup", "pagedown"), { maxLength: 40 });
    fc.assert(fc.property(keys, fc.integer({ min: 10, max: 80 }), fc.integer({ min: 3, max: 20 }), (names, width, height) => {
      let state = startPicking([]);
      for (const name of names) {
        const { end: _, ...pressed } = press(state, key(name), source);
        state = pressed;
        const lines = pickerLines(state, source, { width, height });
        expect(lines.length).toBeLessThanOrEqual(height);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
        if (!lines.some((line) => line.startsWith("No file"))) expect(lines.filter((line) => line.startsWith(">["))).toHaveLength(1);
        for (const path of state.ticked) expect([...state.ticked].some((other) => path.startsWith(`${other}/`))).toBe(false);
      }
      const twice = press(press(state, key("escape"), source), key("escape"), source);
      expect(twice.end).toBe("left");
    }));
  });
});
