import { describe, expect, it } from "vitest";
import { findDisagreements } from "../../../src/xd5/check.ts";
import { readProject } from "../../../src/xd5/component.ts";
import { edited, type Files, viewOf, whole } from "./sample.ts";

async function findings(files: Files): Promise<string[]> {
  return findDisagreements(await readProject(viewOf(files))).map(({ kind, file, line, message }) => `${kind} ${file}:${line} ${message}`);
}

const STORE = "comp/store/doc/API.md";
const APP = "comp/app/doc/API.md";
const LOG = "comp/log/doc/API.md";
const MAIN = "comp/app/src/main.ts";

/** Edits of the project, and the resulting findings. */
const faults: ReadonlyArray<readonly [name: string, edits: ReadonlyArray<readonly [string, string, string]>, found: readonly string[]]> = [
  ["an import of an undeclared component", [[MAIN, "export const", "import { part } from \"../comp/part/src/part.js\";\nexport const"]], ["undeclared-import comp/app/src/main.ts:2 imports 'comp/app/comp/part', which is not a dependency of 'comp/app'"]],
  ["an import of an undeclared package", [[MAIN, "export const", "import x from \"left-pad\";\nexport const"]], ["undeclared-import comp/app/src/main.ts:2 imports 'external/left-pad', which is not a dependency of 'comp/app'"]],
  ["an import of an undeclared name", [[MAIN, "{ type Entry,", "{ type Entry, type Key,"]], ["undeclared-import comp/app/src/main.ts:1 imports 'Key' of 'comp/store', which is not among the dependencies of 'comp/app'"]],
  ["a dependency that nothing imports", [[APP, "  comp/log:", "  external/zod: \"*\"\n  comp/log:"]], [`unused-dependency ${APP}:8 'external/zod' is a dependency, and no source imports it`]],
  ["a name that nothing imports", [[APP, "types: [Entry]", "types: [Entry, Key]"]], [`unused-dependency ${APP}:7 'Key' of 'comp/store' is a dependency, and no source imports it`]],
  ["a missing export", [[LOG, "types: [Level, Unused]", "types: [Level, Unused, Missing]"]], [`missing-export ${LOG}:6 'Missing' is in exports, and no source exports it`]],
  ["a dependency on a name that is not exported", [[LOG, "functions: [log]", "functions: []"]], [`missing-export ${APP}:9 'log' is not in the exports of 'comp/log'`, `missing-export ${STORE}:8 'log' is not in the exports of 'comp/log'`]],
  ["planned, but already exported", [[STORE, "- save  # [IN-PROGRESS]", "- save  # [PLANNED]"]], [`wrong-status ${STORE}:21 'save' is [PLANNED], and exported already`]],
  ["implemented, but missing", [[STORE, "- watch # [PLANNED]", "- watch # [IMPLEMENTED]"]], [`wrong-status ${STORE}:22 'watch' is [IMPLEMENTED], and no source exports it`]],
  ["planned, but already imported", [[APP, "functions: [load]", "functions: [load]  # [PLANNED]"]], [`wrong-status ${APP}:6 'load' of 'comp/store' is [PLANNED], and imported already`]],
  ["a cycle", [[LOG, "exports:", "dependencies:\n  comp/store: \"*\"  # [PLANNED]\nexports:"]], [`cycle ${LOG}:5 depends on itself: comp/log → comp/store → comp/log`]],
  ["a dependency on a missing component", [[APP, "comp/gone:  # [PLANNED]", "comp/gone:"]], [`dangling-path ${APP}:10 'comp/gone' is not a component`]],
  ["an import of a missing file", [[MAIN, "export const", "import \"./none.js\";\nexport const"]], ["dangling-path comp/app/src/main.ts:2 imports 'comp/app/src/none.js', which is not there"]],
  ["unreadable YAML", [[APP, "functions: [load]", "functions: [load"]], [`unreadable ${APP}:7 The YAML cannot be read: Flow sequence in block collection must be sufficiently indented and end with a ]`]],
  ["an unknown category", [[LOG, "functions: [log]", "functions: [log]\n  methods: [x]"]], [`unreadable ${LOG}:6 'methods' is none of functions, types, classes, errors`]],
  ["two lists of exports", [[LOG, "### log", "```yaml\nexports: {}\n```\n\n### log"]], [`unreadable ${LOG}:10 There is more than one 'exports'`]],
];

describe("xd5 check", () => {
  it("finds nothing in a correct project", async () => {
    expect(await findings(whole)).toEqual([]);
  });

  it.each(faults)("finds %s, and nothing else", async (_, edits, found) => {
    expect((await findings(edited(whole, ...edits))).toSorted()).toEqual(found.toSorted());
  });

  it("finds one fault of each kind together, sorted by file", async () => {
    const kinds = ["an import of an undeclared package", "a dependency that nothing imports", "a missing export", "planned, but already exported", "a cycle", "a dependency on a missing component"];
    const chosen = faults.filter(([name]) => kinds.includes(name));
    const found = findDisagreements(await readProject(viewOf(edited(whole, ...chosen.flatMap(([, edits]) => edits)))));
    expect(found.map(({ kind }) => kind).toSorted()).toEqual(["cycle", "dangling-path", "missing-export", "undeclared-import", "unused-dependency", "wrong-status"]);
    expect(found.map(({ file }) => file)).toEqual(found.map(({ file }) => file).toSorted());
  });

  it("finds the used names of a module imported as a whole", async () => {
    const asWhole = edited(whole, ["comp/store/src/index.ts", "{ readFile, writeFile } from", "* as fs from"], ["comp/store/src/index.ts", "await writeFile", "await fs.writeFile"], ["comp/store/src/index.ts", "await readFile", "await fs.readText"]);
    expect(await findings(asWhole)).toEqual([`unused-dependency ${STORE}:11 'readFile' of 'node:fs/promises' is a dependency, and no source imports it`]);
  });

  it("reads names with members below them", async () => {
    const document = "```yaml\nexports:\n  classes:\n    Store:\n      methods: [get]\n    Gone: {methods: [put]}\n```\n";
    expect(await findings({ "c/doc/API.md": document, "c/src/store.ts": "export class Store { get() {} }\n" })).toEqual(["missing-export c/doc/API.md:6 'Gone' is in exports, and no source exports it"]);
    const user = "```yaml\ndependencies:\n  c:\n    classes:\n      Store: {methods: [get]}\nexports: {}\n```\n";
    expect(await findings({ "c/doc/API.md": document.replace(/ {4}Gone.*\n/, ""), "c/src/store.ts": "export class Store {}\n", "d/doc/API.md": user, "d/src/d.ts": "import { Store } from \"../../c/src/store.js\";\nnew Store();\n" })).toEqual([]);
  });

  it("takes the types of a component without sources from its document", async () => {
    const types = { "c/doc/API.md": "# C (types-only)\n\n```yaml\nexports:\n  types: [A]\n```\n" };
    expect(await findings(types)).toEqual([]);
    expect(await findings({ ...types, "d/doc/API.md": "```yaml\ndependencies:\n  c: {types: [A]}\nexports: {}\n```\n" })).toEqual([]);
    expect(await findings({ ...types, "c/src/a.ts": "export type B = 1;\n" })).toEqual(["missing-export c/doc/API.md:5 'A' is in exports, and no source exports it"]);
    expect(await findings({ "c/doc/API.md": "```yaml\nexports:\n  types: [A]\n  functions: [f]\n```\n" })).toHaveLength(2);
  });

  it("reads a status with additional text", async () => {
    const document = (status: string) => ({ "c/doc/API.md": `\`\`\`yaml\nexports:\n  functions:\n    - f # later [${status}]\n\`\`\`\n`, "c/src/a.ts": "export {};\n" });
    for (const status of ["PLANNED - v1.2", "PLANNED: 2027", "IN-PROGRESS, ann", "PARTIALLY IMPLEMENTED"]) expect(await findings(document(status))).toEqual([]);
    expect(await findings(document("PLANNED-NOT"))).toHaveLength(1);
  });

  it("ignores sources in unsupported languages", async () => {
    expect(await findings({ "c/doc/API.md": "```yaml\nexports:\n  functions: [f]\n```\n", "c/src/main.py": "def f(): pass\n" })).toEqual([]);
  });
});
