/** After an edit: what the syntax check of a changed file costs once the grammar is loaded. */
import { languageOf } from "../dist/modules/addresses/languages.js";
import { newFault } from "../dist/modules/addresses/new-fault.js";
import { longer, medians, within } from "./measure.mjs";

const LINES = 1_000;

export async function afterRows() {
  const language = languageOf("a.ts");
  await language.load();
  const before = classes();
  const line = Math.floor(LINES / 2);
  const edited = changeLine(before, line, "  // a comment");
  const broken = changeLine(before, line, "  {");
  const check = (after) => () => newFault(language, before, after);
  const { valid, breaking, whole } = await medians({ valid: check(edited), breaking: check(broken), whole: () => newFault(language, undefined, before) }, 21);
  return [
    within("check the syntax of 1,000 lines after an edit", valid, 5),
    within("the same for a new file, which is parsed as a whole", whole, 40),
    longer("the same after an edit that breaks it, against a new file", { loaf: breaking, peer: whole }, 6),
  ];
}

function classes() {
  return Array.from({ length: LINES / 10 }, (_, index) => `/** Counts. */\nexport class Counter${index} {\n  #count = 0;\n\n  add(by: number): number {\n    this.#count += by;\n    return this.#count;\n  }\n}\n\n`).join("");
}

function changeLine(text, line, added) {
  return text.split("\n").toSpliced(line - 7, 0, added).join("\n");
}
