import fc from "fast-check";
import { expect, test } from "vitest";
import { Failed, failureOf } from "../../../src/core/failure.ts";
import { addresses } from "../../../src/paths/address.ts";
import { partsOf } from "../../../src/addresses/structure.ts";
import { replaceOnce, replaceRange } from "../../../src/edit/replace.ts";
import { createProject } from "./project.ts";

const SHOP = "// Shop.\nexport class Cart {\n  add() { return 1; }\n  remove() { return 1; }\n}\n\nconst tax = 1;\n";

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (thrown) {
    return failureOf(thrown).code;
  }
  return "no failure";
}

function hintOf(act: () => unknown): string {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof Failed) return thrown.alignment.hint ?? "";
    throw thrown;
  }
  throw new Error("this did not fail");
}

test.each([
  ["app.ts", { file: "app.ts", address: "" }],
  ["app.ts@@Cart@@add", { file: "app.ts", address: "@@Cart@@add" }],
  ["app.ts@@@media", { file: "app.ts", address: "@@@media" }],
  ["a@@b.ts", { file: "a@@b.ts", address: "" }],
  ["a@@b.ts@@Cart", { file: "a@@b.ts", address: "@@Cart" }],
  ["d@@r/app.ts@@Cart", { file: "d@@r/app.ts", address: "@@Cart" }],
  ["d@@r/new.ts", { file: "d@@r/new.ts", address: "" }],
  ["none.ts@@a/b@@c", { file: "none.ts", address: "@@a/b@@c" }],
  ["link.ts@@Cart", { file: "link.ts", address: "@@Cart" }],
])("%s names the file and the part %j", (path, expected) => {
  const { files, at } = createProject({ "app.ts": SHOP, "a@@b.ts": SHOP, "d@@r/app.ts": SHOP, "link.ts": { link: "app.ts" } });
  const { file, address } = files.split(at(path));
  expect({ file, address }).toEqual({ ...expected, file: at(expected.file) });
});

test("a project in a folder with @@ in its name works like any other", () => {
  const { files, at } = createProject({ "app.ts": SHOP }, { rootName: "my@@project" });
  expect(files.split(at("app.ts"))).toEqual({ file: at("app.ts"), address: "" });
  expect(files.split(at("deep/new.ts"))).toEqual({ file: at("deep/new.ts"), address: "" });
  expect(files.split(at("app.ts@@Cart"))).toEqual({ file: at("app.ts"), address: "@@Cart" });
  expect(codeOf(() => files.refuseAddress(at("deep/new.ts"), ["write"]))).toBe("no failure");
});

test("to actions that take no address, only an existing whole name is a path", () => {
  const { files, at } = createProject({ "a@@b.ts": SHOP, "d@@r/app.ts": SHOP });
  for (const path of ["a@@b.ts", "d@@r/new.ts", "d@@r/deep/new.ts", "plain.ts"]) expect(codeOf(() => files.refuseAddress(at(path), ["write"]))).toBe("no failure");
  for (const path of ["a.ts@@b", "d@@r/new@@.ts", "new@@folder/app.ts"]) expect(codeOf(() => files.refuseAddress(at(path), ["write"]))).toBe("address/not-taken");
});

test("the parts of a refused file are refused, whether it exists or not", async () => {
  const { files, at } = createProject({ "secret.ts": SHOP }, { rules: [{ read: { deny: ["secret*", "gone*"] }, write: {} }] });
  for (const path of [at("secret.ts@@Cart"), at("gone.ts@@Cart")]) {
    await files.prepare([path]);
    expect(codeOf(() => files.read(path))).toBe("guard/denied");
    expect(codeOf(() => files.edit(path, () => ({ splices: [] })))).toBe("guard/denied");
    expect(files.peek(path)).toBeUndefined();
    expect(() => files.outline(path, 1)).toThrow(expect.objectContaining({ failure: expect.objectContaining({ code: "guard/denied" }) }));
  }
});

test("an edit changes only the addressed part", async () => {
  const { files, at } = createProject();
  await files.prepare([at("app.ts@@x")]);
  const line = fc.constantFrom("class A {\r\n  m() { return 1; }\r\n}\r\n", "const a = 1, b = 2;\n", "// é😀\n", "function f() {\n  const g = () => 3;\n}\n", "\n");
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), fc.nat(), fc.constantFrom("", "x", "x\r\ny", "😀"), (lines, chosen, added) => {
      const text = lines.join("");
      files.write(at("app.ts"), text);
      const all = [...addresses(partsOf("app.ts", text))];
      const one = all[chosen % Math.max(1, all.length)];
      if (one === undefined) return;
      files.edit(at(`app.ts${one.address}`), (own) => ({ splices: [{ start: 0, end: own.length, text: added }] }));
      expect(files.read(at("app.ts"))).toBe(text.slice(0, one.part.start) + added + text.slice(one.part.end));
    }),
    { numRuns: 60 },
  );
});

test("a path with millions of @@ is handled quickly", () => {
  const { files, at } = createProject({ "app.ts": SHOP });
  const path = at(`app.ts${"@@a/".repeat(500_000)}`);
  expect(files.split(path).file).toBe(at("app.ts"));
  expect(codeOf(() => files.refuseAddress(path, ["write"]))).toBe("address/not-taken");
});

test("returns the line on which a part begins", async () => {
  const { files, at } = createProject({ "app.ts": SHOP });
  await files.prepare([at("app.ts@@Cart")]);
  expect(files.firstLine(at("app.ts"))).toBeUndefined();
  expect(files.firstLine(at("app.ts@@Cart"))).toBe(1);
  expect(files.firstLine(at("app.ts@@tax"))).toBe(7);
});

test.each<[string, (bytes: Buffer) => unknown, string[]]>([
  ["an ambiguous text", (bytes) => replaceOnce(bytes, "a();", "x();"), ["old_text occurs in lines 4, 5;", "line 4: begin with line 3:", "line 5: begin with line 4:"]],
  ["a misspelt one", (bytes) => replaceOnce(bytes, "bb();", "x();"), ["closest is line 6,", "     6 +   b();"]],
  ["one that differs in formatting", (bytes) => replaceOnce(bytes, "b();\nc();", "x();"), ["matches lines 6-7", "     6:   b();", "     7:   c();"]],
  ["an end before its beginning", (bytes) => replaceRange(bytes, "c();", "b();", "x();"), ["occurs in line 6, before old_text_beginning ends (line 7)"]],
])("a hint about %s in a part has the line numbers of the file", async (_, edit, expected) => {
  const { files, at } = createProject({ "app.ts": "// é\n\nfunction f() {\n  a();\n  a();\n  b();\n  c();\n}\n" });
  const path = at("app.ts@@f");
  await files.prepare([path]);
  const hint = hintOf(() => files.edit(path, edit as never));
  for (const text of expected) expect(hint).toContain(text);
});

test("the lines in which a match in a part was tolerant are those of the file", async () => {
  const { files, at } = createProject({ "app.ts": "// é\n\nfunction f() {\n  a();\n}\n" });
  const path = at("app.ts@@f");
  await files.prepare([path]);
  expect(files.edit(path, (bytes) => replaceOnce(bytes, "a();  \n}", "b();\n}", "tolerant")).tolerated).toMatchObject([{ lines: "4" }]);
});

test("edits receive the path of the file", async () => {
  const { files, at } = createProject({ "app.ts": "// é😀\n\nfunction f() {}\n" });
  const path = at("app.ts@@f");
  await files.prepare([path]);
  files.edit(path, (bytes, file) => {
    expect([bytes.toString(), file]).toEqual(["function f() {}", at("app.ts")]);
    return { splices: [{ start: 9, end: 10, text: "g" }] };
  });
  expect(files.read(at("app.ts"))).toBe("// é😀\n\nfunction g() {}\n");
});
