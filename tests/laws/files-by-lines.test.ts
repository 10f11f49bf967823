/** The law of code without a path whose file its lines tell: the one that has the line beside it, in one place, or none. */
import { expect, test } from "vitest";
import { answeredIn } from "./answered.ts";

const ONE = "import { load } from \"./load.js\";\n\nconst app = express();\napp.use(cors());\n\nexport function find(items, key) {\n  const value = items.get(key);\n  if (value) {\n    return value.name;\n  }\n  return null;\n}\n\napp.listen(process.env.PORT);\n";
const OTHER = "import { find } from \"./one.js\";\n\nconst name = find([], \"a\");\nif (name) {\n  console.log(name.first);\n}\n";
const FILES = { "one.js": ONE, "other.js": OTHER, "README.md": "# One\n" };
const run = (sentence: string, code: string): ReturnType<typeof answeredIn> => answeredIn(FILES, `${sentence}\n\n\`\`\`js\n${code}\n\`\`\`\n`);
const CONDITION = "  if (value !== undefined) {\n    return value.name;\n  }";
const changed = { ...FILES, "one.js": ONE.replace("if (value)", "if (value !== undefined)") };

test.each(["Compare against `undefined` instead:", "Check for `undefined`, since names may be empty:", "Change the condition:", "You get an error for empty names, so change the condition:"])("%s", async (sentence) => {
  expect([changed, FILES]).toContainEqual(await run(sentence, CONDITION));
  if (!sentence.startsWith("Check")) expect(await run(sentence, CONDITION)).toEqual(changed);
});

test.each(["For example:", "You probably wrote:", "The bug is here:", "Never write:", "Before the change it was:", "Something like this fails:", "You get no value, so don't change the condition:", "You'll see this, so remove the check:", "It returns null, so let us look closer:", "That is what comes out, so make sure you see this:"])("%s shows no edit", async (sentence) => {
  expect(await run(sentence, CONDITION)).toEqual(FILES);
});

test("a line that a sentence names, which one file has once", async () => {
  const code = "app.use(json());\napp.use(urlencoded());";
  const below = (line: string): Record<string, string> => ({ ...FILES, "one.js": ONE.replace(`${line}\n`, `${line}\n${code}\n`) });
  for (const order of ["Configure JSON right after `LINE`:", "Add JSON after the line `LINE`:", "1. JSON, right below `LINE`:"])
    for (const line of ["const app = express();", "app.use(cors());"]) expect(await run(order.replace("LINE", line), code), order).toEqual(below(line));
  for (const sentence of ["It crashes after `app.use(cors());`:", "Unlike before `app.use(cors());`, this is not needed:", "Add JSON after `app.use(helmet());`:", "Run this after `app.use(cors());` in another project:"]) expect(await run(sentence, code), sentence).toEqual(FILES);
  const both = { ...FILES, "other.js": `${OTHER}app.use(cors());\n` };
  expect(await answeredIn(both, `Configure JSON right after \`app.use(cors());\`:\n\n\`\`\`js\n${code}\n\`\`\`\n`)).toEqual(both);
});

test("uses and new files look like the lines of a file", async () => {
  for (const [sentence, code] of [
    ["Use it like this:", "app.use(cors({ origin: \"*\" }));\napp.listen(process.env.PORT);"],
    ["In your own server:", "const app = express({});\napp.use(cors());"],
    ["Create a script:", "app.use(cors());\napp.listen(8080);"],
    ["Create a test:", "import { find } from \"./one.js\";\nconst name = find([], \"b\");\nassert(name);"],
  ] as const) expect(await run(sentence, code), sentence).toEqual(FILES);
});

test("a whole file with one thing instead of another", async () => {
  const whole = (sentence: string): ReturnType<typeof answeredIn> => run(sentence, ONE.replaceAll("const", "let").trimEnd());
  expect(await whole("Here is the whole file, with `let` instead of `const`:")).toEqual({ ...FILES, "one.js": ONE.replaceAll("const", "let") });
  for (const sentence of ["Here is the whole file as it was, instead of your version:", "Here is the full module from upstream, instead of a link:", "Here is the entire file you posted instead of the excerpt:"]) expect(await whole(sentence), sentence).toEqual(FILES);
});
