/** Warnings of syntax that a run has broken: where they are told, and what they cost a run that breaks nothing. */
import { expect, test, vi } from "vitest";
import { Loaf, type ActionResult, type ApprovalRequest } from "../../../src/index.ts";
import { languageOf } from "../../../src/addresses/languages.ts";
import type { LoafOptions } from "../../../src/run/options.ts";
import { shownRequest } from "../../../src/report/request.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { hasSandbox } from "../../support/programs.ts";
import { createFolder } from "../../support/folder.ts";

const edit = (path: string, old_text: string, new_text: string): string => printBlock("e1d", { action: "file_replace_text", path, old_text, new_text });
const open = (repoPath: string, options: LoafOptions = {}): Promise<Loaf> => Loaf.create({ repoPath, config: { relative_paths: true }, ...options });

async function warningsOf(files: Record<string, string>, answer: string, options: LoafOptions = {}): Promise<ReadonlyArray<readonly string[] | undefined>> {
  const loaf = await open(createFolder(files), options);
  return (await loaf.execute(answer)).results.map(({ warnings }) => warnings);
}

const broken = ["a.js is no longer valid JavaScript: line 1: `)` is missing for this `(`"];

test("no grammar is loaded where no file of a known language has changed, but where one has", async () => {
  const languages = ["a.js", "a.json", "a.py"].map(languageOf).filter((language) => language !== undefined);
  const loads = languages.map((language) => vi.spyOn(language, "load"));
  const called = (): number => loads.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  const answer = [printBlock("rd1", { action: "file_read", path: "a.js" }), edit("a.txt", "one", "two"), edit("a.js", "none", "other"), edit("a.json", "1", "2")].join("\n");
  await warningsOf({ "a.js": "f();\n", "a.txt": "one", "a.json": "[1]" }, answer);
  expect(called()).toBe(0);
  await warningsOf({ "a.js": "f();\n" }, edit("a.js", "f", "g"));
  expect(called()).toBe(1);
  vi.restoreAllMocks();
});

test("a parser that cannot be loaded costs the run nothing but the warning", async () => {
  const language = languageOf("a.js");
  if (language === undefined) throw new Error("JavaScript has a grammar");
  vi.spyOn(language, "load").mockRejectedValue(new RangeError("could not allocate memory"));
  expect(await warningsOf({ "a.js": "f();\n" }, edit("a.js", "f();", "f(;"))).toEqual([["the syntax of a.js was not checked: its parser failed"]]);
  vi.restoreAllMocks();
});

test("a dry run, a preview and the question before an action tell it too", async () => {
  const answer = edit("a.js", "f();", "f(;");
  expect(await warningsOf({ "a.js": "f();\n" }, answer, { dryRun: true })).toEqual([broken]);
  const loaf = await open(createFolder({ "a.js": "f();\n" }));
  for await (const { result } of loaf.preview(answer)) expect(result?.warnings).toEqual(broken);
  const asked: ApprovalRequest[] = [];
  await warningsOf({ "a.js": "f();\n" }, answer, { approveEach: true, approve: (request) => (asked.push(request), "no") });
  expect(asked.map((request) => shownRequest(request, "/").body.split("\n").at(-1))).toEqual([`⚠️ ${broken[0]}`]);
});

test("a second dry run starts from what the first one has left", async () => {
  const loaf = await open(createFolder({ "a.js": "f();\n" }), { dryRun: true });
  await loaf.execute(edit("a.js", "f();", "f(;"));
  const { results } = await loaf.execute(edit("a.js", "f(;", "g(;"));
  expect(results[0]?.warnings).toBeUndefined();
});

test("a listener gets a broken action once more, with the warning", async () => {
  const events: ActionResult[] = [];
  await warningsOf({ "a.js": "f();\n" }, edit("a.js", "f();", "f(;"), { onEvent: (result) => events.push(result) });
  expect(events.map(({ seq, success, warnings }) => ({ seq, success, warnings }))).toEqual([
    { seq: 1, success: true, warnings: undefined },
    { seq: 1, success: true, warnings: broken },
  ]);
});

test("a text that arrives in pieces is checked at its end", async () => {
  async function* pieces(): AsyncGenerator<string> {
    yield `${edit("a.js", "f();", "f(;")}\n`;
    yield `${edit("a.js", "f(;", "g(;")}\n`;
  }
  const loaf = await open(createFolder({ "a.js": "f();\n" }));
  expect((await loaf.execute(pieces())).results.map(({ warnings }) => warnings)).toEqual([broken, undefined]);
});

test("a file that is moved after it was broken is named as it is called now", async () => {
  const answer = [edit("a.js", "f();", "f(;"), printBlock("mv1", { action: "file_move", old_path: "a.js", new_path: "b.js" })].join("\n");
  expect(await warningsOf({ "a.js": "f();\n" }, answer)).toEqual([["b.js is no longer valid JavaScript: line 1: `)` is missing for this `(`"], undefined]);
});

test("an edit that mends what an earlier one broke leaves no warning", async () => {
  expect(await warningsOf({ "a.js": "f();\n" }, [edit("a.js", "f();", "f(;"), edit("a.js", "f(;", "f();")].join("\n"))).toEqual([undefined, undefined]);
});

test("a file above half a megabyte is told not to be checked; one that may not be read is not", async () => {
  const long = `f();\n${"// more\n".repeat(70_000)}`;
  expect(await warningsOf({ "a.js": long }, edit("a.js", "f();", "f(;"))).toEqual([["the syntax of a.js was not checked: 0.5 MB"]]);
  const config = { relative_paths: true, "fs-guard": { read: { deny: ["b.js"] } } };
  expect(await warningsOf({ "b.js": "f();\n" }, printBlock("w1e", { action: "file_write", path: "b.js", content: "f(;\n" }), { config })).toEqual([undefined]);
});

test("a file that was large, or is written anew after one that was, is told of once", async () => {
  const write = (id: string, content: string) => printBlock(id, { action: "file_write", path: "a.js", content });
  const large = `f();\n${"// more\n".repeat(70_000)}`;
  expect(await warningsOf({ "a.js": large }, write("w1e", "f(;\n"))).toEqual([["the syntax of a.js was not checked: 0.5 MB"]]);
  const answer = [write("w1e", large), printBlock("d1e", { action: "file_delete", path: "a.js" }), write("w2e", "f(;\n")].join("\n");
  expect((await warningsOf({}, answer)).at(-1)).toEqual(["a.js is not valid JavaScript: line 1: `)` is missing for this `(`"]);
  expect((await warningsOf({}, answer))[0]).toBeUndefined();
});

test.runIf(hasSandbox)("a file that a command has changed is checked, and one that it has made", async () => {
  const command = printBlock("cmd", { action: "exec", lang: "bash", code: "echo 'f(;' > a.js; echo 'f(;' > b.js; exit 3" });
  const [warnings] = await warningsOf({ "a.js": "f();\n" }, command);
  expect(warnings).toEqual([...broken, "b.js is not valid JavaScript: line 1: `)` is missing for this `(`"]);
});

test.runIf(hasSandbox)("of many files that commands make a hundred are checked, and the others told", async () => {
  const make = (id: string, names: string) => printBlock(id, { action: "exec", lang: "bash", code: `for n in ${names}; do echo 'f();' > $n.js; done; echo 'f(;' > broken-${id}.js` });
  const [first, second] = await warningsOf({}, [make("m1", "{001..090}"), make("m2", "{101..120}")].join("\n"));
  expect(first).toEqual(["broken-m1.js is not valid JavaScript: line 1: `)` is missing for this `(`"]);
  expect(second).toEqual(["the syntax of 110.js, 111.js, 112.js and 9 more was not checked: the run has more than 100 new files"]);
});

test.runIf(hasSandbox)("a file that a command makes and another removes is not told", async () => {
  const command = (id: string, code: string) => printBlock(id, { action: "exec", lang: "bash", code });
  const large = "head -c 600000 /dev/zero | tr '\\0' '1' > big.js; echo 'f(;' > a.js";
  expect(await warningsOf({}, command("c1", large))).toEqual([["a.js is not valid JavaScript: line 1: `)` is missing for this `(`", "the syntax of big.js was not checked: 0.6 MB"]]);
  expect(await warningsOf({}, [command("c1", large), command("c2", "rm big.js a.js")].join("\n"))).toEqual([undefined, undefined]);
});

test.runIf(hasSandbox)("a file that is not UTF-8 is checked, and a binary one told", async () => {
  const command = printBlock("cmd", { action: "exec", lang: "bash", code: "printf '// caf\\xe9\\nf(;\\n' > a.js; printf '\\x47\\0\\0' > film.ts" });
  expect(await warningsOf({}, command)).toEqual([
    ["a.js is not valid JavaScript: line 2: `)` is missing for this `(`", "the syntax of film.ts was not checked: it is not text"],
  ]);
});
